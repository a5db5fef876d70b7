package standin

import (
	"context"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/magekind/magekind/magefiles/images/internal/layer"
	"github.com/magekind/magekind/magefiles/images/internal/shop"
)

// compose lays out the image's only layer.
func compose(ctx context.Context, program, docker, busybox string) (*layer.Tree, error) {
	tree := layer.New()
	for name, source := range map[string]string{
		entrypoint: program, "usr/local/bin/docker": docker, "bin/busybox": busybox,
	} {
		if err := tree.File(name, 0o755, source); err != nil {
			return nil, err
		}
	}
	applets, err := exec.CommandContext(ctx, busybox, "--list").Output()
	if err != nil {
		return nil, fmt.Errorf("ask %q for its commands: %w", busybox, err)
	}
	for _, name := range strings.Fields(string(applets)) {
		if name != "busybox" {
			tree.Link("bin/"+name, "busybox")
		}
	}
	tree.Bytes("etc/passwd", 0o644, []byte("root:x:0:0:root:/root:/bin/sh\n"))
	tree.Bytes("etc/group", 0o644, []byte("root:x:0:\n"))
	// A static program cannot load the modules that the default asks for.
	tree.Bytes("etc/nsswitch.conf", 0o644, []byte("hosts: files dns\n"))
	tree.Dir("root", 0o700)
	tree.Dir("run", 0o755)
	tree.Dir("tmp", 0o777|fs.ModeSticky)
	tree.Dir("usr/local/sbin", 0o755) // ahead of the docker command on PATH, for those who wrap it
	tree.Link("var/run", "/run")
	return tree, nil
}

// addGateways adds the definitions of the Gateway API, a folder for each channel,
// as they are in the module that the program requires.
func addGateways(ctx context.Context, s *shop.Shop, tree *layer.Tree) error {
	folder, err := s.Module(source).Source(ctx, gateways)
	if err != nil {
		return err
	}
	readable := func(string) fs.FileMode { return 0o644 }
	for _, channel := range []string{"standard", "experimental"} {
		if err := tree.Copy("crds/"+channel, filepath.Join(folder, "config", "crd", channel), readable); err != nil {
			return fmt.Errorf("add the Gateway API's definitions: %w", err)
		}
	}
	return nil
}
