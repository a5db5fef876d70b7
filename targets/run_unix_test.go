//go:build unix

package targets

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv"
)

// TestRunEndsOnSIGTERM sends the signal to the process that the target runs in,
// as whoever stops its whole process group does.
func TestRunEndsOnSIGTERM(t *testing.T) {
	unheard := errors.New("the target was not told")
	before := func(ctx context.Context, _ *kindenv.Config) error {
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Minute):
			return unheard
		}
	}
	err := run(t.Context(), before, func(context.Context, *kindenv.Environment) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("run = %v, want %v", err, context.Canceled)
	}
}
