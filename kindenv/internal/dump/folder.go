package dump

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// markName is a file in every folder of ours, so that no other folder is ever replaced.
const markName = "magekind-dump.txt"

const mark = "Written by magekind when an environment failed. The next dump of this environment replaces this folder.\n"

const (
	privateFile   fs.FileMode = 0o600
	privateFolder fs.FileMode = 0o700
)

// Write makes folder hold files, for its owner only, in place of an earlier dump. A
// folder that holds anything else is refused. Files without content are left out.
func Write(folder string, files []File) error {
	if err := vacate(folder); err != nil {
		return err
	}
	files = append([]File{{markName, mark}}, files...)
	for _, file := range files {
		if strings.TrimSpace(file.Content) == "" {
			continue
		}
		path := filepath.Join(folder, filepath.FromSlash(file.Name))
		if !filepath.IsLocal(filepath.FromSlash(file.Name)) {
			return fmt.Errorf("dump %q: it is not in the folder", file.Name)
		}
		if err := os.MkdirAll(filepath.Dir(path), privateFolder); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(file.Content), privateFile); err != nil {
			return err
		}
	}
	return nil
}

// vacate removes the dump that folder holds, if any.
func vacate(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if info, err := os.Lstat(filepath.Join(folder, markName)); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%q holds something else than a dump; give another DumpDir", folder)
	}
	return os.RemoveAll(folder)
}
