//go:build !linux

package engine

import (
	"errors"
	"syscall"
)

// detached is not reached: only Linux gets an engine of its own.
func detached() *syscall.SysProcAttr { return nil }

func unmount(string) error { return errors.ErrUnsupported }
