package cloudprovider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// Attach writes the controller's log to out, from its beginning, and follows it
// until ctx is done; then it returns nil. It needs Start before. A restart by the engine is
// followed too. It returns an error when the controller ends or is removed. On an
// engine that can't stream logs it writes nothing and blocks until ctx is done.
func (c *Controller) Attach(ctx context.Context, out io.Writer) error {
	if err := c.check(); err != nil {
		return err
	}
	streamer, ok := c.eng.(engine.LogStreamer)
	if !ok {
		<-ctx.Done()
		return nil
	}
	container, err := c.only(ctx)
	if err != nil {
		return done(ctx, fmt.Errorf("following the cloud provider's log: %w", err))
	}
	options := engine.LogOptions{Follow: true}
	for {
		err := streamer.Logs(ctx, container.ID, options, out)
		if err != nil && !errors.Is(err, engine.ErrNotFound) {
			return done(ctx, fmt.Errorf("following the log of %q: %w", container.Name, err))
		}
		next, err := c.nextRun(ctx, container)
		if err != nil {
			return done(ctx, err)
		}
		container, options.Since = next, next.EndedAt // not StartedAt, which can be later than the first lines
	}
}

// nextRun returns the container in its next run, if the engine restarts it. One
// that has exited may be about to be, so that is not believed at once.
func (c *Controller) nextRun(ctx context.Context, before engine.Container) (engine.Container, error) {
	var now engine.Container
	began := time.Now()
	err := retry.Until(ctx, restartBudget, func(ctx context.Context) (err error) {
		now, err = c.inspect(ctx, before.ID)
		switch {
		case errors.Is(err, errAbsent):
			return retry.Stop(fmt.Errorf("container %q was removed", before.Name))
		case err != nil:
			return err
		case now.State == engine.Running && now.StartedAt.After(before.StartedAt):
			return nil
		case now.State == engine.Exited && time.Since(began) > c.settleTime:
			return retry.Stop(fmt.Errorf("container %q: %s", now.Name, c.ending(ctx, now)))
		}
		return fmt.Errorf("container %q: %s", now.Name, c.ending(ctx, now))
	})
	return now, err
}

// restartBudget is the longest that an engine waits before it restarts a container.
const restartBudget = time.Minute

// only returns our one container.
func (c *Controller) only(ctx context.Context) (engine.Container, error) {
	found, err := c.find(ctx)
	if err != nil {
		return engine.Container{}, err
	}
	if len(found) == 0 {
		return engine.Container{}, fmt.Errorf("%w: there is no container %q", errAbsent, c.name())
	}
	return found[0], nil
}

// done drops an error that only comes from ctx being done.
func done(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
