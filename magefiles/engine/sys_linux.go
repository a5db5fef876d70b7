package engine

import (
	"fmt"
	"syscall"
)

// detached makes a process outlive the command and its terminal.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true}
}

// unmount takes a mount away, also one in use.
func unmount(path string) error {
	if err := syscall.Unmount(path, syscall.MNT_DETACH); err != nil {
		return fmt.Errorf("unmounting %q: %w", path, err)
	}
	return nil
}
