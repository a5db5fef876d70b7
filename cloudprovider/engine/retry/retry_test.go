package retry_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

var (
	errNotYet = errors.New("not yet")
	errBroken = errors.New("broken")
)

func TestUntilReturnsAtOnceWhatIsDone(t *testing.T) {
	t.Parallel()
	calls := 0
	err := retry.Until(t.Context(), time.Minute, func(context.Context) error { calls++; return nil })
	if err != nil || calls != 1 {
		t.Errorf("got %v after %d calls, want nil after 1", err, calls)
	}
}

// pauses returns how long Until waits between its calls of a check that
// succeeds at the n-th.
func pauses(t *testing.T, n int) []time.Duration {
	t.Helper()
	var all []time.Duration
	last := time.Now()
	err := retry.Until(t.Context(), 0, func(context.Context) error {
		all = append(all, time.Since(last))
		last = time.Now()
		if len(all) < n {
			return errNotYet
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all[1:]
}

func TestUntilWaitsLittleAtFirstAndASecondLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const first, most = 20 * time.Millisecond, time.Second
		want := first
		for i, got := range pauses(t, 12) {
			if slack := want / 10; got < want-slack || got > want+slack {
				t.Errorf("pause %d: got %s, want %s within 10 %%", i+1, got, want)
			}
			want = min(2*want, most)
		}
	})
}

func TestUntilStartsAfreshEachTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		pauses(t, 10)
		if got := pauses(t, 2)[0]; got > 22*time.Millisecond {
			t.Errorf("first pause of the second wait: got %s, want about 20 ms", got)
		}
	})
}

func TestUntilGivesUpWithItsBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		err := retry.Until(t.Context(), 5*time.Minute, func(context.Context) error { return errNotYet })
		if got, want := time.Since(start), 5*time.Minute; got != want {
			t.Errorf("gave up after %s, want %s", got, want)
		}
		if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, errNotYet) {
			t.Errorf("got %v, want the deadline's error and the last error of the check", err)
		}
		if !strings.Contains(err.Error(), "5m0s") {
			t.Errorf("got %q, want the budget in it", err)
		}
	})
}

func TestUntilWithoutBudgetGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, budget := range []time.Duration{0, -1} {
			start := time.Now()
			err := retry.Until(t.Context(), budget, func(ctx context.Context) error {
				if _, limited := ctx.Deadline(); limited {
					t.Error("the check's ctx has a deadline")
				}
				if time.Since(start) < 2*time.Hour {
					return errNotYet
				}
				return nil
			})
			if err != nil {
				t.Errorf("budget %d: got %v, want nil after two hours", budget, err)
			}
		}
	})
}

func TestUntilBoundsTheCheckItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		err := retry.Until(t.Context(), time.Minute, func(ctx context.Context) error {
			if calls++; calls < 3 {
				return errNotYet
			}
			<-ctx.Done() // hangs
			return ctx.Err()
		})
		if !errors.Is(err, errNotYet) {
			t.Errorf("got %v, want the error from before the check hung", err)
		}
	})
}

func TestUntilEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	err := retry.Until(ctx, time.Hour, func(context.Context) error {
		cancel(errBroken)
		return errNotYet
	})
	if !errors.Is(err, errBroken) || !errors.Is(err, errNotYet) {
		t.Errorf("got %v, want the cause and the last error of the check", err)
	}
	if strings.Contains(err.Error(), "1h0m0s") {
		t.Errorf("got %q, which blames the budget", err)
	}
}

func TestUntilDoesNotBeginOnceItsContextIsDone(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errBroken)
	err := retry.Until(ctx, time.Hour, func(context.Context) error { t.Error("the check was called"); return nil })
	if !errors.Is(err, errBroken) {
		t.Errorf("got %v, want %v", err, errBroken)
	}
}
