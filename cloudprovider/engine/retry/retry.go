// Package retry is the module's one policy for waiting: it repeats a check,
// quickly at first, then once a second, until it succeeds, gives up for good,
// or runs out of time. It is a thin layer over github.com/sethvargo/go-retry
// that keeps what go-retry drops: the last real error.
package retry

import (
	"context"
	"errors"
	"fmt"
	"time"

	backoff "github.com/sethvargo/go-retry"
)

const (
	firstDelay = 20 * time.Millisecond
	maxDelay   = time.Second
	// jitterPercent keeps parallel waiters from asking in step.
	jitterPercent = 10
)

// Until calls check until it returns nil, and then returns nil. It waits
// between calls: 20 ms at first, doubling up to one second, with 10 % of
// jitter. It returns early, with check's error, when that was wrapped by
// [Stop]. When budget has passed (zero or less: no limit of its own) or ctx is
// done, it returns an error that wraps both the reason for giving up
// ([context.DeadlineExceeded] or ctx's cause) and check's last error.
//
// The ctx that check gets ends with the budget.
func Until(ctx context.Context, budget time.Duration, check func(ctx context.Context) error) error {
	limited, cancel := withBudget(ctx, budget)
	defer cancel()
	var last error
	err := backoff.Do(limited, delays(), func(ctx context.Context) error {
		err := check(ctx)
		var final *stop
		switch {
		case err == nil:
			return nil
		case errors.As(err, &final):
			return err
		case last == nil || ctx.Err() == nil:
			// an error that only says that the time is over must not replace the reason
			last = err
		}
		return backoff.RetryableError(err)
	})
	var final *stop
	switch {
	case err == nil:
		return nil
	case errors.As(err, &final):
		return final.unmark(err)
	case last == nil:
		return context.Cause(limited)
	}
	return fmt.Errorf("%w: %w", reason(ctx, limited, budget), last)
}

// Stop marks err as final: [Until] returns it at once, with what was wrapped
// around it since. The mark ends there: an Until around that one goes on.
// Stop(nil) is nil.
func Stop(err error) error {
	if err == nil {
		return nil
	}
	return &stop{err}
}

type stop struct{ err error }

func (s *stop) Error() string { return s.err.Error() }
func (s *stop) Unwrap() error { return s.err }

// unmark returns whole, which s is in, without the mark.
func (s *stop) unmark(whole error) error {
	if whole == error(s) {
		return s.err
	}
	return &unmarked{whole}
}

// unmarked is an error in which nobody finds the mark.
type unmarked struct{ whole error }

func (u *unmarked) Error() string        { return u.whole.Error() }
func (u *unmarked) Is(target error) bool { return errors.Is(u.whole, target) }

func (u *unmarked) As(target any) bool {
	if _, mark := target.(**stop); mark {
		return false
	}
	return errors.As(u.whole, target)
}

func withBudget(ctx context.Context, budget time.Duration) (context.Context, context.CancelFunc) {
	if budget <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, budget)
}

// delays makes a new Backoff, since those are stateful.
func delays() backoff.Backoff {
	return backoff.WithJitterPercent(jitterPercent, backoff.WithCappedDuration(maxDelay, backoff.NewExponential(firstDelay)))
}

// reason says why the waiting ended: the budget, or the caller's ctx.
func reason(ctx, limited context.Context, budget time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("gave up after %s: %w", budget, context.Cause(limited))
}
