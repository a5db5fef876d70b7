package cloudprovider

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// Stop ends the controller and removes its container. With ClusterName set it
// gives the controller 15 s, or half of what ctx leaves, to remove the cluster's load balancers, and then
// removes any that are left, also when no controller is there; its error names those that stay.
// An engine-wide controller is killed instead, because its own clean-up would
// remove the load balancers of every project. Containers of others are never touched.
func (c *Controller) Stop(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	seen, err := c.look(ctx)
	if err != nil {
		return err
	}
	return errors.Join(
		c.end(ctx, seen.controllers),
		c.sweep(ctx, every),
		c.removeAll(ctx, seen.helpers),
	)
}

// end stops the containers, gracefully where that is safe, and removes them.
func (c *Controller) end(ctx context.Context, ours []engine.Container) error {
	for _, container := range ours {
		if !isScoped(container) || container.State != engine.Running {
			continue // removal kills
		}
		if err := c.eng.Stop(ctx, container.ID, c.grace(ctx)); err != nil && ctx.Err() != nil {
			return errors.Join(fmt.Errorf("ending %q: %w", container.Name, err), c.cutShort(ctx, ours))
		}
		// what a failed stop leaves, removal and sweep deal with
	}
	return c.removeAll(ctx, ours)
}

// cutShort removes controllers that were told to end when ctx ended: they are on
// their way out, and the next Start must not take one for a controller that stays.
func (c *Controller) cutShort(ctx context.Context, ours []engine.Container) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cutShortBudget)
	defer cancel()
	return c.removeAll(ctx, ours)
}

// grace is how long the controller may take to end. Half of what ctx leaves is
// for removing what it does not.
func (c *Controller) grace(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return c.stopGrace
	}
	const share = 2
	return min(c.stopGrace, time.Until(deadline)/share)
}
