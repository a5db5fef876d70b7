package check

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/magekind/magekind/magefiles/group"
)

// grace is how long a cancelled command may take to clean up before it is
// killed. Tests that hold clusters need some of it.
const grace = 2 * time.Minute

// Command runs a program in dir, its output to out, with env added to this
// process's environment. Cancelling ctx interrupts it, and all that it started, first.
func Command(ctx context.Context, out io.Writer, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = out, out
	group.Lead(cmd)
	cmd.WaitDelay = grace
	if err := cmd.Run(); err != nil {
		return failed(dir, name, args, err)
	}
	return nil
}

// output returns what a program prints to its standard output. What it says
// beside that is shown only if it fails.
func output(ctx context.Context, out io.Writer, dir, name string, args ...string) (string, error) {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err != nil {
		_, _ = said.WriteTo(out)
		return "", failed(dir, name, args, err)
	}
	return strings.TrimSpace(string(text)), nil
}

// failed names a command by its first words: what it was given can be long,
// and what it had to say is above.
func failed(dir, name string, args []string, err error) error {
	words := append([]string{filepath.Base(name)}, args[:min(len(args), 3)]...)
	return fmt.Errorf("%s in %s: %w", strings.Join(words, " "), dir, err)
}
