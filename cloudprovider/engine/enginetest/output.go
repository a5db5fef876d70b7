package enginetest

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// Logs implements [engine.LogStreamer].
func (f *Fake) Logs(ctx context.Context, id string, opts engine.LogOptions, out io.Writer) error {
	if err := f.enter(ctx, "Logs", id); err != nil {
		return err
	}
	f.mu.Lock()
	c, err := f.find(id)
	f.mu.Unlock()
	if err != nil {
		return fmt.Errorf("reading logs: %w", err)
	}
	next, started := 0, false
	for {
		f.mu.Lock()
		if !started {
			next, started = c.first(opts), true
		}
		fresh := c.output[next:]
		next = len(c.output)
		over, changed := c.removed || c.State != engine.Running && c.State != engine.Paused, c.changed
		f.mu.Unlock()
		for _, l := range fresh {
			if !opts.Until.IsZero() && l.at.After(opts.Until) {
				return nil
			}
			if _, err := io.WriteString(out, l.text+"\n"); err != nil {
				return fmt.Errorf("writing logs: %w", err)
			}
		}
		if over || !opts.Follow {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("reading logs of container %q: %w", id, ctx.Err())
		}
	}
}

// first returns the index of the first line that opts ask for.
func (c *container) first(opts engine.LogOptions) int {
	start := 0
	for start < len(c.output) && c.output[start].at.Before(opts.Since) {
		start++
	}
	if opts.Tail > 0 {
		start = max(start, len(c.output)-opts.Tail)
	}
	return start
}

// LastExit implements [engine.Historian].
func (f *Fake) LastExit(ctx context.Context, of engine.Container) (engine.Exit, bool, error) {
	if err := f.enter(ctx, "LastExit", of.ID); err != nil {
		return engine.Exit{}, false, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	c, err := f.find(of.ID)
	if err != nil {
		return engine.Exit{}, false, fmt.Errorf("asking how a container ended: %w", err)
	}
	return c.lastExit, !c.EndedAt.IsZero(), nil
}

// Exec implements [engine.Execer].
func (f *Fake) Exec(ctx context.Context, id string, command []string, out io.Writer) (int, error) {
	if err := f.enter(ctx, "Exec", f.faults.knownAs(id)+" "+strings.Join(command, " ")); err != nil {
		return 0, err
	}
	state, err := f.state(id)
	if err != nil {
		return 0, fmt.Errorf("running %q: %w", command, err)
	}
	if state != engine.Running {
		return 0, fmt.Errorf("running %q: %w: container %q is %s", command, engine.ErrConflict, id, state)
	}
	answer := f.behaviour(id, false).OnExec
	if answer == nil {
		return 0, nil
	}
	type result struct {
		text string
		code int
	}
	ended := make(chan result, 1)
	go func() {
		text, code := answer(command)
		ended <- result{text, code}
	}()
	select {
	case r := <-ended:
		if _, err := io.WriteString(out, r.text); err != nil {
			return 0, fmt.Errorf("writing the output of %q: %w", command, err)
		}
		return r.code, nil
	case <-ctx.Done():
		return 0, fmt.Errorf("running %q in container %q: %w", command, id, ctx.Err())
	}
}
