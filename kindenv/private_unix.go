//go:build unix

package kindenv

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

const othersRights fs.FileMode = 0o077

// keepPrivate makes the folder for this module's files, or takes others' rights
// from one that is there: who may write to it could put another cluster's
// kubeconfig in the place of ours. In a folder for everyone, which is where it is
// without a home folder, somebody else may have made it.
func keepPrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil //nolint:nilerr // the lock, which is next and needs the folder too, says why
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("look at the folder for this user's files: %w", err)
	}
	if parent, err := os.Stat(filepath.Dir(dir)); err == nil && parent.Mode().Perm()&0o002 != 0 {
		owner, ok := info.Sys().(*syscall.Stat_t)
		if !info.IsDir() || ok && int(owner.Uid) != os.Geteuid() {
			return fmt.Errorf("the folder for this user's files, %q, is somebody else's: remove it, or set XDG_CACHE_HOME to a folder of yours", dir)
		}
	}
	if info, err = os.Stat(dir); err != nil || info.Mode().Perm()&othersRights == 0 {
		return err
	}
	if err := os.Chmod(dir, info.Mode().Perm()&^othersRights); err != nil && !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("keep others out of the folder for this user's files: %w", err)
	}
	return nil
}

// user tells this user's folder from others' in a place for everyone.
func user() string { return fmt.Sprintf("-%d", os.Geteuid()) }
