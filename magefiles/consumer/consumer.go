// Package consumer makes projects that use this module as other repositories
// do, through a go.mod of their own and the real mage binary. The e2e suite, the
// targets' golden tests and the benchmark run in such projects.
package consumer

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/mod/modfile"
)

// Module is the path of the module that consumers import.
const Module = "github.com/magekind/magekind"

// unreleased is the version that stands for the working tree in a replace.
const unreleased = "v0.0.0-00010101000000-000000000000"

// Root returns the working tree of this module: the nearest folder, from the
// working directory upwards, whose go.mod declares Module.
func Root() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("looking for the working tree of %s: %w", Module, err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && modfile.ModulePath(data) == Module {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("looking for the working tree of %s: not in %q nor above it", Module, start)
		}
	}
}

// Write makes the project in dir, which must exist: a go.mod for module that
// requires the working tree in root with the very versions root builds with, so
// that nothing has to be resolved or downloaded, and the files given by their
// slash-separated paths.
func Write(dir, root, module string, files map[string]string) error {
	goMod, err := goMod(root, module)
	if err != nil {
		return err
	}
	goSum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return fmt.Errorf("making a project in %q: %w", dir, err)
	}
	if err := put(dir, "go.mod", goMod); err != nil {
		return err
	}
	if err := put(dir, "go.sum", goSum); err != nil {
		return err
	}
	for name, text := range files {
		if err := put(dir, name, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// goMod is root's go.mod turned into that of a module that requires root.
func goMod(root, module string) ([]byte, error) {
	path := filepath.Join(root, "go.mod")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("making a go.mod for %q: %w", module, err)
	}
	file, err := modfile.Parse(path, data, nil)
	if err != nil {
		return nil, fmt.Errorf("making a go.mod for %q: %w", module, err)
	}
	for _, step := range []error{
		file.AddModuleStmt(module),
		file.AddRequire(Module, unreleased),
		file.AddReplace(Module, "", root, ""),
	} {
		if step != nil {
			return nil, fmt.Errorf("making a go.mod for %q: %w", module, step)
		}
	}
	return file.Format()
}

func put(dir, name string, data []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("writing %q: %w", name, err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("writing %q: %w", name, err)
	}
	return nil
}

// BuildMage builds the mage command, in the version that root pins, as the file
// mage in dir, and returns its path.
func BuildMage(ctx context.Context, root, dir string) (string, error) {
	path := filepath.Join(dir, "mage")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", path, "github.com/magefile/mage")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building mage: %w\n%s", err, out)
	}
	return path, nil
}
