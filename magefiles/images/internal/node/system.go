package node

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/magekind/magekind/magefiles/images/internal/layer"
)

const containerdConfig = "etc/containerd/config.toml"

// system returns the layer with everything that is added to Debian, except for
// the container images.
func (r recipe) system(ctx context.Context, programs, dir string) (layer.File, error) {
	files, err := r.kindFiles(ctx)
	if err != nil {
		return layer.File{}, err
	}
	tree := layer.New()
	for _, folder := range []string{"etc", "kind", "usr"} {
		if err := tree.Copy(folder, filepath.Join(files, folder), mode); err != nil {
			return layer.File{}, err
		}
	}
	if err := tree.Copy("", r.Path(source+"/"+rootfs), mode); err != nil {
		return layer.File{}, err
	}
	if err := addPrograms(tree, programs); err != nil {
		return layer.File{}, err
	}
	if err := configure(ctx, tree, files, programs); err != nil {
		return layer.File{}, err
	}
	addServices(tree)
	tree.Dir("etc/kubernetes/manifests", 0o755)
	tree.Bytes("kind/version", 0o644, []byte(r.versions[kubernetesModule])) // kind reads it
	return tree.Save(filepath.Join(dir, "system.tar"))
}

// mode gives files the permissions that kind's image build gives them.
func mode(name string) fs.FileMode {
	if strings.HasPrefix(name, "usr/local/bin/") || strings.HasPrefix(name, "kind/bin/") {
		return 0o755
	}
	return 0o644
}

func addPrograms(tree *layer.Tree, programs string) error {
	for folder, names := range map[string][]string{
		"usr/local/bin":  {"containerd", "containerd-shim-runc-v2", "crictl", "ctr", "podnet"},
		"usr/local/sbin": {"runc"},
		"usr/bin":        {"hyperkube"},
		"opt/cni/bin":    {"host-local", "loopback", "portmap", "ptp"},
	} {
		for _, name := range names {
			if err := tree.File(folder+"/"+name, 0o755, filepath.Join(programs, name)); err != nil {
				return err
			}
		}
	}
	for _, name := range []string{"kubeadm", "kubectl", "kubelet"} {
		tree.Link("usr/bin/"+name, "hyperkube")
	}
	return nil
}

// configure adds the configuration of containerd.
func configure(ctx context.Context, tree *layer.Tree, kindFiles, programs string) error {
	text, err := os.ReadFile(filepath.Join(kindFiles, containerdConfig))
	if err != nil {
		return err
	}
	// An engine may lack CAP_SYS_RESOURCE, and then no score can be lowered. Where
	// it has it, containerd's own score is -999 and this changes nothing.
	const unrestricted, restricted = "restrict_oom_score_adj = false", "restrict_oom_score_adj = true"
	if !bytes.Contains(text, []byte(unrestricted)) {
		return fmt.Errorf("adapt kind's %q: no %q in it", containerdConfig, unrestricted)
	}
	tree.Bytes(containerdConfig, 0o644, bytes.Replace(text, []byte(unrestricted), []byte(restricted), 1))

	spec, err := exec.CommandContext(ctx, filepath.Join(programs, "ctr"), "oci", "spec").Output()
	if err != nil {
		return fmt.Errorf("ask ctr for the specification of a container: %w", err)
	}
	if spec, err = hooked(spec); err != nil {
		return err
	}
	tree.Bytes("etc/containerd/cri-base.json", 0o644, spec)
	return nil
}

// hooked returns the specification that all containers of a node begin with:
// with kind's hook, and without limits that would not be the engine's.
func hooked(spec []byte) ([]byte, error) {
	var parsed map[string]any
	if err := json.Unmarshal(spec, &parsed); err != nil {
		return nil, fmt.Errorf("read the specification of a container: %w", err)
	}
	process, ok := parsed["process"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("read the specification of a container: no process in it")
	}
	delete(process, "rlimits")
	parsed["hooks"] = map[string]any{
		"createContainer": []any{map[string]any{"path": "/kind/bin/mount-product-files.sh"}},
	}
	return json.Marshal(parsed)
}

// addServices has systemd start the node's services, and leave alone what would
// change the kernel of all.
func addServices(tree *layer.Tree) {
	const folder = "etc/systemd/system/"
	for _, unit := range []string{"containerd.service", "kubelet.service", "podnet.service", "undo-mount-hacks.service"} {
		tree.Link(folder+"multi-user.target.wants/"+unit, "/"+folder+unit)
	}
	tree.Link(folder+"systemd-binfmt.service", "/dev/null")
}
