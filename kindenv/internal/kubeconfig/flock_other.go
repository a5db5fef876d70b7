//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package kubeconfig

import (
	"errors"
	"os"
)

// tryLock can't tell, so nothing is ever taken for left behind.
func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }
