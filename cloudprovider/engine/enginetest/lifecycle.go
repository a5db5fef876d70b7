package enginetest

import (
	"context"
	"fmt"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// Start implements [engine.Containers].
func (f *Fake) Start(ctx context.Context, id string) error {
	if err := f.enter(ctx, "Start", id); err != nil {
		return err
	}
	state, err := f.state(id)
	switch {
	case err != nil:
		return fmt.Errorf("starting container: %w", err)
	case state == engine.Running || state == engine.Restarting:
		return nil
	case state != engine.Created && state != engine.Exited:
		return fmt.Errorf("starting container %q: %w: it is %s", id, engine.ErrConflict, state)
	}
	f.run(id, false)
	return nil
}

// Stop implements [engine.Containers].
func (f *Fake) Stop(ctx context.Context, id string, grace time.Duration) error {
	if err := f.enter(ctx, "Stop", id); err != nil {
		return err
	}
	state, err := f.state(id)
	if err != nil {
		return fmt.Errorf("stopping container: %w", err)
	}
	end := func(code int) {
		_ = f.change(id, func(c *container) { // gone meanwhile: stopped
			if c.runs() {
				c.end(code)
			}
		})
	}
	code := 0
	if b := f.behaviour(id, false); b.IgnoreStop {
		code = killed
	} else if b.OnStop != nil && state == engine.Running {
		if code, err = b.stop(ctx, grace, end); err != nil {
			return fmt.Errorf("stopping container %q: %w", id, err)
		}
	}
	end(code)
	return nil
}

// stop runs OnStop, for as long as grace and ctx allow, and returns the exit
// code. When ctx does not last, the container ends all the same.
func (b Behaviour) stop(ctx context.Context, grace time.Duration, end func(code int)) (code int, err error) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		b.OnStop()
		end(0)
	}()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-ended:
		return 0, nil
	case <-timer.C:
		return killed, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// Kill implements [engine.Containers].
func (f *Fake) Kill(ctx context.Context, id string) error {
	if err := f.enter(ctx, "Kill", id); err != nil {
		return err
	}
	err := f.change(id, func(c *container) {
		if c.runs() {
			c.end(killed)
		}
	})
	if err != nil {
		return fmt.Errorf("killing container: %w", err)
	}
	return nil
}

// Remove implements [engine.Containers].
func (f *Fake) Remove(ctx context.Context, id string) error {
	if err := f.enter(ctx, "Remove", id); err != nil {
		return err
	}
	err := f.change(id, func(c *container) {
		c.removed = true
		delete(f.containers, c.ID)
	})
	if err != nil {
		return fmt.Errorf("removing container: %w", err)
	}
	return nil
}

// Pause implements [engine.Pauser].
func (f *Fake) Pause(ctx context.Context, id string) error {
	return f.move(ctx, "Pause", id, engine.Running, engine.Paused)
}

// Unpause implements [engine.Pauser].
func (f *Fake) Unpause(ctx context.Context, id string) error {
	return f.move(ctx, "Unpause", id, engine.Paused, engine.Running)
}

// move changes a container's state from one to another, or refuses.
func (f *Fake) move(ctx context.Context, method, id string, from, to engine.State) error {
	if err := f.enter(ctx, method, id); err != nil {
		return err
	}
	var refused error
	err := f.change(id, func(c *container) {
		if c.State != from {
			refused = fmt.Errorf("%w: container %q is %s, not %s", engine.ErrConflict, id, c.State, from)
			return
		}
		c.State = to
	})
	if err != nil {
		return err
	}
	return refused
}

// state returns a container's state.
func (f *Fake) state(id string) (engine.State, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, err := f.find(id)
	if err != nil {
		return "", err
	}
	return c.State, nil
}
