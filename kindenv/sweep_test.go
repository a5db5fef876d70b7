package kindenv_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

const (
	patience  = 10 * time.Minute // of a user, before Ctrl-C
	mageGrace = 5 * time.Second  // between Ctrl-C and the end of mage
	unbounded = time.Hour
)

// sweepEnv set to "all" makes TestSweep run every scenario with every kind of
// fault, and try each fault both before a Down and before an Up, which takes a minute.
const sweepEnv = "MAGEKIND_SWEEP"

// TestSweep has a fault at every call that a command makes to the engine and to
// kind, one after the other, and wants the next Down to leave nothing, the
// next Up to succeed, and the neighbour to notice nothing.
func TestSweep(t *testing.T) {
	t.Parallel()
	all := os.Getenv(sweepEnv) == "all"
	for name, s := range scenarios() {
		for kind, effect := range effects() {
			if !all && !(s.main && effect.main) {
				continue
			}
			t.Run(name+"/a call "+kind, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { s.sweep(t, effect, all) })
			})
		}
	}
}

// sweep runs the command with the fault at every call that it makes: twice,
// before a Down and before an Up, or by turns.
func (s scenario) sweep(t *testing.T, effect effect, twice bool) {
	e := newEstate(t)
	down, up := command((*kindenv.Environment).Down), command((*kindenv.Environment).Up)
	injected, survived := 0, 0
	for n, came := 1, true; came; n++ {
		for i, next := range []command{down, up} {
			if !twice && n%2 != i {
				continue
			}
			r := &trial{estate: e, scenario: s, effect: effect, n: n}
			err := r.run(next, i == 1)
			if err != nil {
				t.Errorf("call %d, %q: %v\nthe command's error: %v\nits output:\n%s", n, r.call, err, r.failure, e.out)
				e = newEstate(t)
			}
			came = r.came
			if !came {
				break
			}
			injected++
			if r.failure == nil {
				survived++
			}
		}
	}
	t.Logf("%d faults, of which %d were survived", injected, survived)
}

// trial is one fault, and the command after it.
type trial struct {
	*estate
	scenario
	effect
	n       int
	came    bool   // the command made that many calls
	call    string // that the fault was at
	failure error  // of the command
}

// run returns an error about what is not as it should be.
func (r *trial) run(next command, up bool) error {
	e := r.estate
	e.out.reset()
	e.forgetCaches()
	if r.prepare != nil {
		r.prepare(e)
	}
	if err := r.strike(); err != nil {
		return err
	}
	faults := kindtest.NewFaults()
	if err := e.run(e.t.Context(), "x", faults, next, r.change); err != nil {
		return fmt.Errorf("the next command: %w", err)
	}
	if err := e.leftAlone(faults.Calls()); err != nil {
		return err
	}
	if up {
		if err := e.ready(r.nodes); err != nil {
			return fmt.Errorf("after the next up: %w", err)
		}
		e.must("x", (*kindenv.Environment).Down, r.change)
	}
	if err := e.nothingLeft(); err != nil {
		return fmt.Errorf("at the end: %w", err)
	}
	return nil
}

// strike runs the command with the fault.
func (r *trial) strike() error {
	e := r.estate
	ctx, cancel := context.WithCancel(e.t.Context())
	defer cancel()
	var cancelled time.Time
	faults := kindtest.NewFaults()
	r.set(faults, r.n, func() {
		cancelled = time.Now()
		cancel()
	})
	started := time.Now()
	r.failure = e.run(ctx, "x", faults, r.do, r.change)
	took := time.Since(started)
	calls := faults.Calls()
	if r.came = len(calls) >= r.n; r.came {
		r.call = calls[r.n-1]
	}
	if err := e.leftAlone(calls); err != nil {
		return err
	}
	switch {
	case r.failure == nil && r.down:
		return e.nothingLeft()
	case r.failure == nil:
		return e.ready(r.nodes)
	case !r.came:
		return fmt.Errorf("without a fault: %w", r.failure)
	case r.survives:
		return errors.New("it should have gone on")
	case ctx.Err() != nil && time.Since(cancelled) > mageGrace:
		return fmt.Errorf("it took %s to end when it was cancelled", time.Since(cancelled))
	case took > unbounded:
		return fmt.Errorf("it took %s", took)
	}
	return namesTheStep(r.failure, r.call)
}
