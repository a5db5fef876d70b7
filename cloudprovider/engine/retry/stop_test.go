package retry_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

func TestStopEndsTheWaiting(t *testing.T) {
	t.Parallel()
	calls := 0
	err := retry.Until(t.Context(), time.Hour, func(context.Context) error {
		if calls++; calls < 3 {
			return errNotYet
		}
		return retry.Stop(errBroken)
	})
	if err != errBroken || calls != 3 { //nolint:errorlint // the very error
		t.Errorf("got %v after %d calls, want %v after 3", err, calls, errBroken)
	}
}

func TestStopKeepsWhatIsWrappedAroundIt(t *testing.T) {
	t.Parallel()
	cause := &fs.PathError{Op: "open", Path: "x", Err: errBroken}
	err := retry.Until(t.Context(), time.Hour, func(context.Context) error {
		return fmt.Errorf("looking (%w): %w", errNotYet, retry.Stop(cause))
	})
	if want := "looking (not yet): open x: broken"; err == nil || err.Error() != want {
		t.Fatalf("got %v, want %s", err, want)
	}
	var found *fs.PathError
	if !errors.As(err, &found) || !errors.Is(err, errBroken) || !errors.Is(err, errNotYet) {
		t.Errorf("%v lost an error that it wraps", err)
	}
}

func TestStopOfNothingIsNothing(t *testing.T) {
	t.Parallel()
	if err := retry.Stop(nil); err != nil {
		t.Errorf("got %v, want nil", err)
	}
}

func TestStopEndsTheInnermostWaitingOnly(t *testing.T) {
	t.Parallel()
	for name, inner := range map[string]error{
		"bare":    retry.Stop(errBroken),
		"wrapped": fmt.Errorf("looking: %w", retry.Stop(errBroken)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls := 0
			err := retry.Until(t.Context(), time.Hour, func(ctx context.Context) error {
				if calls++; calls == 2 {
					return nil
				}
				return retry.Until(ctx, time.Hour, func(context.Context) error { return inner })
			})
			if err != nil || calls != 2 {
				t.Errorf("got %v after %d calls, want nil after 2", err, calls)
			}
		})
	}
}
