package name

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// Resolve chooses a cluster's name: explicit (the field Name of a configuration),
// else env (the value of KIND_CLUSTER_NAME), else one derived from the project
// that dir is in (empty: the working directory): the last element of its module
// path without a /vN, else the name of the git repository's root, else of
// dir. Explicit names and those from the environment are never changed: an invalid one is
// an error, as [Check] gives it for a single control plane.
func Resolve(explicit, env, dir string) (string, error) {
	if explicit != "" {
		return given("Name", explicit)
	}
	if env != "" {
		return given("KIND_CLUSTER_NAME", env)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the project's folder: %w", err)
	}
	project, err := projectName(dir)
	if err != nil {
		return "", fmt.Errorf("derive a cluster name from the project in %q: %w", dir, err)
	}
	return Derive(project), nil
}

func given(field, name string) (string, error) {
	if err := Check(name, 1); err != nil {
		return "", fmt.Errorf("%s: %w", field, err)
	}
	return name, nil
}

// projectName returns the name of the project that dir is in.
func projectName(dir string) (string, error) {
	if file, found := upward(dir, "go.mod"); found {
		content, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if modulePath := modfile.ModulePath(content); modulePath != "" {
			if prefix, _, ok := module.SplitPathVersion(modulePath); ok {
				modulePath = prefix
			}
			return path.Base(modulePath), nil
		}
	}
	if git, found := upward(dir, ".git"); found {
		dir = filepath.Dir(git)
	}
	return filepath.Base(dir), nil
}

// upward looks for name in dir and its parents.
func upward(dir, name string) (string, bool) {
	for {
		candidate := filepath.Join(dir, name)
		if _, err := os.Stat(candidate); !errors.Is(err, fs.ErrNotExist) {
			return candidate, true // also when it can't be looked at: reading it says why
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}
