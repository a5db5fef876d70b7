package cloudprovider

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// waitUp waits until the container is past its first listing of the engine's
// clusters: its log says so, or it has been up for a while without a complaint.
func (c *Controller) waitUp(ctx context.Context, id string) error {
	began := time.Now()
	return retry.Until(ctx, c.startBudget, func(limited context.Context) error {
		container, err := c.inspect(limited, id)
		switch {
		case errors.Is(err, errAbsent):
			return retry.Stop(errors.New("it was removed while it started"))
		case err != nil:
			return err
		case crashed(container):
			return retry.Stop(c.crash(ctx, container)) // it has its own limit: a crash near the end has a cause too
		}
		return c.settled(limited, container, time.Since(began))
	})
}

// settled returns nil once a running container is past its first listing.
func (c *Controller) settled(ctx context.Context, container engine.Container, up time.Duration) error {
	log, readable, err := c.read(ctx, container)
	switch {
	case err != nil:
		return err
	case log.listing != "":
		return retry.Stop(c.blind(log))
	case container.State != engine.Running:
		return fmt.Errorf("it is %s", container.State)
	case log.past, up >= c.settleTime:
		return nil
	case !readable:
		return fmt.Errorf("it is up for %s only", up.Round(time.Millisecond))
	}
	return fmt.Errorf("it has not listed the clusters yet; %s", log.evidence(glance))
}

// blind is the error of a controller that can't reach the engine.
func (c *Controller) blind(log journal) error {
	source, _ := c.socket(c.eng.Endpoint())
	return fmt.Errorf("it can't list the clusters through the engine's socket, mounted from %q; %s",
		source, log.evidence(glance))
}

// inspect returns the one of our containers with that ID.
func (c *Controller) inspect(ctx context.Context, id string) (engine.Container, error) {
	found, err := c.find(ctx)
	if err != nil {
		return engine.Container{}, err
	}
	for _, container := range found {
		if container.ID == id {
			return container, nil
		}
	}
	return engine.Container{}, errAbsent
}

func crashed(container engine.Container) bool {
	switch container.State {
	case engine.Exited, engine.Dead, engine.Restarting, engine.Removing:
		return true
	}
	return container.RestartCount > 0
}
