package kindenv

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

// downBudget bounds the removal at the end of [Run], which goes on after its ctx is done.
const downBudget = 2 * time.Minute

// Run brings the environment up, calls do, and always brings it down again,
// also when ctx is done or do panics. When something failed it first keeps a dump
// (see Config.DumpDir), and writes to cfg.Out what helps to understand it, unless
// ctx was cancelled: whoever interrupts leaves seconds, which the removal needs.
// The error joins what went wrong.
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
	e.brief = true
	finished := false
	defer func() {
		if err != nil || !finished {
			err = e.explainRun(ctx, err)
		}
		err = errors.Join(err, e.downWithin(context.WithoutCancel(ctx)))
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

// errPanicked stands for the error of a function that did not return.
var errPanicked = errors.New("the function that was given to Run did not return")

// explainRun is explain for what failed while the environment was up; err is nil
// when that panicked. What Up has explained already is left as it is.
func (e *Environment) explainRun(ctx context.Context, err error) error {
	var told *Failure
	if errors.Is(ctx.Err(), context.Canceled) || errors.As(err, &told) {
		return err
	}
	s, openErr := e.open(ctx, e.cfg.Out)
	if openErr != nil {
		return errors.Join(err, redact.Error(fmt.Errorf("look what helps to understand that: %w", openErr)))
	}
	failure := &Failure{Step: "what runs in it", Err: cmp.Or(err, errPanicked)}
	files := s.collect(alive(ctx))
	s.keep(failure, files)
	s.report(failure, s.excerpts(failure, files), nil)
	closed := s.close(nil)
	if err == nil {
		return closed
	}
	return errors.Join(failure, closed)
}
