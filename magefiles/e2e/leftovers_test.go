//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// volumes are those that the project's containers have mounted. The engine may
// still be removing one of them.
func (p *project) volumes() []string {
	p.t.Helper()
	var names []string
	for _, filter := range labels(p.name) {
		for _, id := range containers(p.t.Context(), p.t, filter) {
			out, err := exec.CommandContext(p.t.Context(), "docker", "inspect", "-f", "{{range .Mounts}}{{.Name}} {{end}}", id).Output()
			if err == nil {
				names = append(names, strings.Fields(string(out))...)
			}
		}
	}
	return names
}

// assertNothingLeft checks everything that [project.assertGone] does, and that
// no volume, no network attachment, no file and no process is left.
func (p *project) assertNothingLeft(volumes []string) {
	p.t.Helper()
	p.assertGone()
	for _, volume := range strings.Fields(docker(p.t.Context(), p.t, "volume", "ls", "-q")) {
		if slices.Contains(volumes, volume) {
			p.t.Errorf("volume %s is left", volume)
		}
	}
	attached := docker(p.t.Context(), p.t, "network", "inspect", "kind", "-f", "{{range .Containers}}{{.Name}}\n{{end}}")
	for name := range strings.Lines(attached) {
		if strings.Contains(name, p.name) {
			p.t.Errorf("%s is still attached to the network", strings.TrimSpace(name))
		}
	}
	if left := p.files(); len(left) > 0 {
		p.t.Errorf("files left: %q", left)
	}
	eventually(p.t, time.Minute, func(context.Context) error { // what a killed process ran notices late that all is gone
		for _, group := range p.groups {
			if left := members(p.t, group); len(left) > 0 {
				return fmt.Errorf("processes left: %q", left)
			}
		}
		return nil
	})
}

// files are those that the project has on this machine beside what it is made of.
func (p *project) files() []string {
	p.t.Helper()
	var left []string
	for _, root := range []string{filepath.Join(p.cache, "magekind"), p.temp} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || entry.IsDir() && path == root || expected(root, path) {
				return err
			}
			left = append(left, path)
			return nil
		})
		if err != nil {
			p.t.Fatal(err)
		}
	}
	// others may be writing to the same kubeconfig right now
	deadline := time.Now().Add(20 * time.Second)
	for {
		beside := besides(p.kubeconfig)
		if len(beside) == 0 || time.Now().After(deadline) {
			return append(left, beside...)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// expected says of a file in the cache folder that it is no environment's own:
// what is known of a cloud provider's image, and the folder of all locks. Among
// temporary files, those of a go command that was killed while mage compiled are not.
func expected(root, path string) bool {
	name, err := filepath.Rel(root, path)
	return err == nil && (name == "locks" || strings.HasPrefix(name, "proxy-image-") || strings.HasPrefix(name, "go-build"))
}

// besides are the lock and temporary files of a kubeconfig.
func besides(kubeconfig string) []string {
	folder, name := filepath.Split(kubeconfig)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return []string{err.Error()}
	}
	var found []string
	for _, entry := range entries {
		if entry.Name() == name+".lock" || strings.HasPrefix(entry.Name(), "."+name) {
			found = append(found, filepath.Join(folder, entry.Name()))
		}
	}
	return found
}
