package lock

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// explain says what could not be locked, and what to do where that is known.
func explain(path string, err error) error {
	err = fmt.Errorf("lock %q: %w", path, err)
	switch {
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
		return fmt.Errorf("%w; its file system does not support file locks (flock), as some network file systems do not: it has to be on a local one", err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w; this user has to be able to write there: another user, such as root, may have made it, or it is read-only", err)
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%w; a file is where the folder has to be: remove or rename it", err)
	}
	return err
}
