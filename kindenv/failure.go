package kindenv

import (
	"context"
	"errors"
	"fmt"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
	"github.com/magekind/magekind/kindenv/internal/dump"
)

// Failure is the error of an [Environment.Up] and a [Run] that failed at their
// work, rather than being interrupted.
type Failure struct {
	Step string // the title of the step that failed; empty: before the first
	Dump string // the folder with the logs; empty: there is none
	// Explained says that the error and all the rest is in Config.Out.
	Explained bool
	Err       error
}

// Error returns the text of Err.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// explain makes a [Failure] of why Up failed, keeps a dump where that is wanted,
// and writes what people need to know to Config.Out. An interrupted call says
// nothing more: there are seconds, which others need.
func (s *session) explain(ctx context.Context, err error) error {
	if err == nil || errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	failure := &Failure{Step: s.console.Failed(err), Err: redact.Error(err)}
	s.console.Close(err)
	if !s.dumps() {
		s.report(failure, nil, s.advice(ctx))
		return failure
	}
	files := s.evidence
	if files == nil {
		files = s.collect(alive(ctx))
	}
	s.keep(failure, files)
	s.report(failure, s.excerpts(failure, files), s.advice(ctx))
	return failure
}

// alive is ctx, unless its time is over: then there is a budget all the same.
func alive(ctx context.Context) context.Context {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// keep writes the dump, of which failure then knows the folder.
func (s *session) keep(failure *Failure, files []dump.File) {
	text := fmt.Sprintf("environment: %s\nstep: %s\n\n%v\n", s.name, failure.Step, failure.Err)
	folder, err := s.keepDump(append([]dump.File{{Name: errorFile, Content: redact.Text(text)}}, files...))
	if err != nil {
		failure.Err = errors.Join(failure.Err, err)
		return
	}
	failure.Dump = folder
}

// advice are the commands that lead on from a failed Up.
func (s *session) advice(ctx context.Context) []string {
	ctx, cancel := context.WithTimeout(ctx, statusBudget)
	defer cancel()
	var lines []string
	if all, err := s.everything(ctx); err != nil || len(all) > 0 {
		lines = append(lines, "look further: mage env:status, mage env:logs", "remove it:    mage env:down")
	}
	if !s.dumps() {
		lines = append(lines, "keep the logs of the next failure: set DumpDir in the Config, or CI=true")
	}
	return lines
}
