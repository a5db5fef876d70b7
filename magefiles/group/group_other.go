//go:build !unix

package group

import (
	"os"
	"os/exec"
)

// Lead has cmd alone interrupted when its context is done.
func Lead(cmd *exec.Cmd) {
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
}
