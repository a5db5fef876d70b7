//go:build unix

// Package group interrupts commands with all that they have started. The go
// command, for one, does not pass an interrupt on to the test or program that
// it runs.
package group

import (
	"os/exec"
	"syscall"
)

// Lead makes cmd, which was made with a context and is not started yet, the
// first of a process group. When its context is done, the group is interrupted.
// A terminal's Ctrl-C no longer reaches it by itself.
func Lead(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}
