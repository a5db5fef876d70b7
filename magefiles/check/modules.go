package check

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Modules returns the folders below root that hold a go.mod, as slash-separated
// paths relative to root, in lexical order; the root module is ".". Folders
// that the go command ignores (testdata, and names that start with a dot or an
// underscore) are not looked into.
func Modules(root string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if path != root && ignored(entry.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if entry.Name() != "go.mod" {
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		found = append(found, filepath.ToSlash(rel))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for modules below %q: %w", root, err)
	}
	slices.Sort(found)
	return found, nil
}

func ignored(dir string) bool {
	return dir == "testdata" || strings.HasPrefix(dir, ".") || strings.HasPrefix(dir, "_")
}
