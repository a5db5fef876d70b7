package check

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// grace is how long a cancelled command may take to clean up before it is
// killed. Tests that hold clusters need some of it.
const grace = 2 * time.Minute

// command runs a program in dir, its output to out, with env added to this
// process's environment. Cancelling ctx interrupts it first.
func command(ctx context.Context, out io.Writer, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = grace
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("running %q in %s: %w", strings.Join(append([]string{name}, args...), " "), dir, err)
	}
	return nil
}

// output is command with the standard output returned and the rest to out.
func output(ctx context.Context, out io.Writer, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Stderr = out
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("running %q in %s: %w", strings.Join(append([]string{name}, args...), " "), dir, err)
	}
	return strings.TrimSpace(string(text)), nil
}
