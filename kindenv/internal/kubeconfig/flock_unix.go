//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package kubeconfig

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks f until it is closed or the process ends, and reports whether
// it could: another open file may have the lock.
func tryLock(f *os.File) (bool, error) {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, err
		}
	}
}
