package targets

import (
	"context"
	"errors"
	"os"
	"time"
)

// startedByMage is set by mage in the environment of a magefile that it runs.
const startedByMage = "MAGEFILE_GOCMD"

// parentPoll is how often the parent's identity is looked at.
const parentPoll = 250 * time.Millisecond

var errParentGone = errors.New("mage was stopped")

// followParent returns a context that also ends when mage, which runs this
// process, is gone: mage has no handler for SIGTERM, so a supervisor that stops
// mage alone would leave the target running unattended.
func followParent(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if os.Getenv(startedByMage) != "" {
		go watchParent(ctx, os.Getppid, parentPoll, func() { cancel(errParentGone) })
	}
	return ctx, func() { cancel(nil) }
}

// watchParent calls gone once the parent is no longer the one it started with.
func watchParent(ctx context.Context, parent func() int, every time.Duration, gone func()) {
	first := parent()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if parent() != first {
				gone()
				return
			}
		}
	}
}
