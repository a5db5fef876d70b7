package docker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// removal is how long a removal that somebody else began may take.
const removal = time.Minute

// Start implements [engine.Containers].
func (e *Engine) Start(ctx context.Context, id string) error {
	if err := e.api.ContainerStart(ctx, id, container.StartOptions{}); err != nil {
		return fmt.Errorf("starting container %q: %w", id, translate(err))
	}
	return nil
}

// Stop implements [engine.Containers]. The API counts in seconds: grace is rounded up.
func (e *Engine) Stop(ctx context.Context, id string, grace time.Duration) error {
	seconds := max(0, int(math.Ceil(grace.Seconds())))
	if err := e.api.ContainerStop(ctx, id, container.StopOptions{Timeout: &seconds}); err != nil {
		return fmt.Errorf("stopping container %q: %w", id, translate(err))
	}
	return nil
}

// Kill implements [engine.Containers].
func (e *Engine) Kill(ctx context.Context, id string) error {
	err := translate(e.api.ContainerKill(ctx, id, "SIGKILL"))
	if err == nil || errors.Is(err, engine.ErrConflict) { // it does not run
		return nil
	}
	return fmt.Errorf("killing container %q: %w", id, err)
}

// Remove implements [engine.Containers].
func (e *Engine) Remove(ctx context.Context, id string) error {
	err := translate(e.api.ContainerRemove(ctx, id, container.RemoveOptions{Force: true, RemoveVolumes: true}))
	if err != nil && errors.Is(err, engine.ErrConflict) && strings.Contains(err.Error(), "already in progress") {
		err = e.awaitRemoval(ctx, id)
	}
	if err != nil {
		return fmt.Errorf("removing container %q: %w", id, err)
	}
	return nil
}

// awaitRemoval waits until a container is gone that somebody else is removing.
func (e *Engine) awaitRemoval(ctx context.Context, id string) error {
	return retry.Until(ctx, removal, func(ctx context.Context) error {
		switch c, err := e.inspect(ctx, id); {
		case errors.Is(err, engine.ErrNotFound):
			return nil
		case err != nil:
			return err
		default:
			return fmt.Errorf("it is still there, and is %s", c.State)
		}
	})
}

// Pause implements [engine.Pauser].
func (e *Engine) Pause(ctx context.Context, id string) error {
	if err := e.api.ContainerPause(ctx, id); err != nil {
		return fmt.Errorf("pausing container %q: %w", id, translate(err))
	}
	return nil
}

// Unpause implements [engine.Pauser].
func (e *Engine) Unpause(ctx context.Context, id string) error {
	if err := e.api.ContainerUnpause(ctx, id); err != nil {
		return fmt.Errorf("unpausing container %q: %w", id, translate(err))
	}
	return nil
}
