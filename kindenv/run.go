package kindenv

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

// Budgets for the end of [Run], which go on after its ctx is done.
const (
	downBudget = 2 * time.Minute
	dumpBudget = 10 * time.Second
)

// Run brings the environment up, calls do, and always brings it down again,
// also when ctx is done or do panics. When something failed it first writes
// the recent logs to cfg.Out, unless ctx was cancelled: whoever interrupts
// leaves seconds, which the removal needs. The error joins what went wrong.
//
// It is meant for end-to-end tests that want an environment of their own. On
// one that was there before, it brings that down.
func Run(ctx context.Context, cfg Config, do func(ctx context.Context, env *Environment) error) error {
	env, err := New(cfg)
	if err != nil {
		return err
	}
	return env.run(ctx, do)
}

func (e *Environment) run(ctx context.Context, do func(ctx context.Context, env *Environment) error) (err error) {
	finished := false
	defer func() {
		after := context.WithoutCancel(ctx)
		interrupted := errors.Is(ctx.Err(), context.Canceled)
		if (err != nil || !finished) && !interrupted {
			err = errors.Join(err, e.dump(after))
		}
		err = errors.Join(err, e.downWithin(after))
	}()
	if err = e.Up(ctx); err == nil {
		err = do(ctx, e)
	}
	finished = true
	return err
}

func (e *Environment) downWithin(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, downBudget)
	defer cancel()
	return e.Down(ctx)
}

// dump writes the logs so far.
func (e *Environment) dump(ctx context.Context) error {
	out := e.cfg.Out
	if out == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, dumpBudget)
	defer cancel()
	_, _ = io.WriteString(out, "\nLogs of environment "+e.name+":\n")
	if err := e.logs(ctx, out, false); err != nil {
		return fmt.Errorf("write the logs: %w", redact.Error(err))
	}
	return nil
}
