// Package command makes external commands that are ended gently: killed at once,
// apt-get would leave packages half installed, and others their temporary files.
package command

import (
	"context"
	"os"
	"os/exec"
	"time"
)

// grace is how long a command may take to end when it is asked to.
const grace = 10 * time.Second

// New returns a command that is interrupted when ctx is done, and killed when it
// does not end then.
func New(ctx context.Context, name string, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, name, args...)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = grace
	return command
}
