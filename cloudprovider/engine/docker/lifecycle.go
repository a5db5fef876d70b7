package docker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// removal is how long a removal may be refused.
const removal = time.Minute

// Start implements [engine.Containers].
func (e *Engine) Start(ctx context.Context, id string) error {
	err := e.tell(ctx, e.limits.work, func(ctx context.Context) error {
		return e.api.ContainerStart(ctx, id, container.StartOptions{})
	})
	if err != nil {
		return fmt.Errorf("starting container %q: %w", id, err)
	}
	return nil
}

// Stop implements [engine.Containers]. The API counts in seconds: grace is rounded up.
func (e *Engine) Stop(ctx context.Context, id string, grace time.Duration) error {
	err := e.stop(ctx, id, grace)
	if errors.Is(err, engine.ErrConflict) && e.Unpause(ctx, id) == nil {
		err = e.stop(ctx, id, grace) // Podman can't stop what is paused
	}
	if err != nil {
		return fmt.Errorf("stopping container %q: %w", id, err)
	}
	return nil
}

func (e *Engine) stop(ctx context.Context, id string, grace time.Duration) error {
	seconds := max(0, int(math.Ceil(grace.Seconds())))
	return e.tell(ctx, grace+e.limits.work, func(ctx context.Context) error {
		return e.api.ContainerStop(ctx, id, container.StopOptions{Timeout: &seconds})
	})
}

// Kill implements [engine.Containers].
func (e *Engine) Kill(ctx context.Context, id string) error {
	err := e.tell(ctx, e.limits.work, func(ctx context.Context) error {
		return e.api.ContainerKill(ctx, id, "SIGKILL")
	})
	if err == nil || errors.Is(err, engine.ErrConflict) { // it does not run
		return nil
	}
	return fmt.Errorf("killing container %q: %w", id, err)
}

// Remove implements [engine.Containers]. A conflict passes: somebody else's
// removal comes to its end, and Podman, which refuses while it is between two
// runs of a container, gets beyond that.
func (e *Engine) Remove(ctx context.Context, id string) error {
	refused := false
	err := retry.Until(ctx, removal, func(context.Context) error {
		err := e.tell(ctx, e.limits.removal, func(ctx context.Context) error { // once begun, it may take longer than a refusal
			return e.api.ContainerRemove(ctx, id, container.RemoveOptions{Force: true, RemoveVolumes: true})
		})
		switch {
		case errors.Is(err, engine.ErrConflict):
			refused = true
			return err
		case refused && errors.Is(err, engine.ErrNotFound):
			return nil
		}
		return retry.Stop(err)
	})
	if err != nil {
		return fmt.Errorf("removing container %q: %w", id, err)
	}
	return nil
}

// Pause implements [engine.Pauser].
func (e *Engine) Pause(ctx context.Context, id string) error {
	err := e.tell(ctx, e.limits.work, func(ctx context.Context) error { return e.api.ContainerPause(ctx, id) })
	if err != nil {
		return fmt.Errorf("pausing container %q: %w", id, err)
	}
	return nil
}

// Unpause implements [engine.Pauser].
func (e *Engine) Unpause(ctx context.Context, id string) error {
	err := e.tell(ctx, e.limits.work, func(ctx context.Context) error { return e.api.ContainerUnpause(ctx, id) })
	if err != nil {
		return fmt.Errorf("unpausing container %q: %w", id, err)
	}
	return nil
}
