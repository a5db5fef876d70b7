// Package debian gets things from Debian's packages: tools for this machine,
// single packages' files, and root file systems to build images on.
package debian

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/magekind/magekind/magefiles/images/internal/command"
)

// Tool is something that this machine needs, and the package that brings it.
type Tool struct {
	Package string
	Path    string // exists when the package is installed: a glob pattern, or a command's name
}

// Missing returns the packages of the tools that are not there.
func Missing(tools ...Tool) []string {
	var missing []string
	for _, tool := range tools {
		if !tool.present() {
			missing = append(missing, tool.Package)
		}
	}
	return missing
}

// Install installs the packages of the tools that are missing. It needs root and
// apt-get only when there are any.
func Install(ctx context.Context, tools ...Tool) error {
	missing := Missing(tools...)
	if len(missing) == 0 {
		return nil
	}
	if err := installable(missing); err != nil {
		return err
	}
	return withLists(ctx, append([]string{"install", "-y", "--no-install-recommends"}, missing...), "")
}

func (t Tool) present() bool {
	if !strings.Contains(t.Path, "/") {
		_, err := exec.LookPath(t.Path)
		return err == nil
	}
	found, err := filepath.Glob(t.Path)
	return err == nil && len(found) > 0
}

// installable says what to do where apt-get cannot be used.
func installable(packages []string) error {
	install := "apt-get install " + strings.Join(packages, " ")
	if _, err := exec.LookPath("apt-get"); err != nil {
		return fmt.Errorf("building the images takes what Debian's packages %s bring, and there is no apt-get here: "+
			"build them on Debian, or use upstream's images from their registries", strings.Join(packages, ", "))
	}
	if os.Geteuid() != 0 {
		return fmt.Errorf("building the images takes the packages %s: run %q as root, then try again",
			strings.Join(packages, ", "), install)
	}
	return nil
}

// withLists runs apt-get in the folder dir; a fresh machine has no package
// lists, or old ones, so they are brought up to date when it fails.
func withLists(ctx context.Context, args []string, dir string) error {
	lists, err := filepath.Glob("/var/lib/apt/lists/*_Packages*")
	if err == nil && len(lists) > 0 {
		if apt(ctx, args, dir) == nil {
			return nil
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	// Some of the machine's package sources may be out of order: what counts is
	// whether the packages can be had then.
	updating := apt(ctx, []string{"update"}, dir)
	if err := apt(ctx, args, dir); err != nil {
		return errors.Join(err, updating)
	}
	return nil
}

func apt(ctx context.Context, args []string, dir string) error {
	// Another apt-get may be at work on this machine: its lock is waited for.
	cmd := command.New(ctx, "apt-get", append([]string{"-q", "-o", "DPkg::Lock::Timeout=300"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("apt-get %s: %w\n%s", strings.Join(args, " "), err, tail(out))
	}
	return nil
}

// tail returns the last lines of a long output.
func tail(out []byte) []byte {
	const kept = 15
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-kept):], []byte("\n"))
}
