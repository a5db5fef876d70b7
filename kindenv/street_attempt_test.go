package kindenv_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

// attempt is a command, and the trouble that it has.
type attempt struct {
	up     bool
	effect string        // of a fault; empty: none
	n      int           // the call that it is at
	haste  time.Duration // after which it is interrupted; 0: never
}

func (r *resident) attempt(up bool) attempt {
	a := attempt{up: up}
	switch r.random.IntN(6) {
	case 0, 1, 2:
		a.effect, a.n = pick(r.random, slices.Sorted(maps.Keys(effects()))), 1+r.random.IntN(downCalls)
		if up {
			a.n = 1 + r.random.IntN(upCalls)
		}
	case 3:
		a.haste = time.Duration(1 + r.random.Int64N(int64(haste)))
	}
	return a
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

// errTrouble: a command failed that had some trouble.
var errTrouble = errors.New("in trouble")

// try runs a command. Its error is an errTrouble if that is no wonder.
func (r *resident) try(a attempt) error {
	r.commands.Add(1)
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.t.Context()))
	defer cancel()
	faults := kindtest.NewFaults()
	if a.effect != "" {
		effects()[a.effect].set(faults, a.n, cancel)
	}
	if a.haste > 0 {
		defer time.AfterFunc(a.haste, cancel).Stop()
	}
	err := r.run(ctx, faults, a.up)
	calls := faults.Calls()
	came := a.effect != "" && len(calls) >= a.n
	if came {
		r.faults.Add(1)
	}
	if ctx.Err() != nil {
		r.interrupts.Add(1)
	}
	if touched := r.othersIn(calls); touched != nil {
		return touched
	}
	if err != nil {
		r.failed.Add(1)
		if came || ctx.Err() != nil {
			return fmt.Errorf("%w: %w", errTrouble, err)
		}
	}
	return err
}

// run calls a command as a process of its own does.
func (r *resident) run(ctx context.Context, faults *enginetest.Faults, up bool) error {
	env, out := r.environment(faults)
	command := env.Down
	if up {
		command = env.Up
	}
	if err := command(ctx); err != nil {
		return fmt.Errorf("up: %v: %w\n%s", up, err, out)
	}
	return nil
}
