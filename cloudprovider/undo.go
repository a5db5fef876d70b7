package cloudprovider

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// undo removes the container that a failed launch made, and the load balancers
// that it made in its turn. It looks by label, not by ID: a create call that
// ctx cut off may have made a container without telling its ID.
func (c *Controller) undo(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupBudget)
	defer cancel()
	made, err := c.find(ctx)
	if err != nil || len(made) == 0 {
		return err
	}
	return errors.Join(c.removeAll(ctx, made), c.sweep(ctx, func(proxy engine.Container) bool {
		return proxy.CreatedAt.After(made[0].CreatedAt)
	}))
}

// clear makes room for a new controller: the old container goes, helpers that
// could not be removed or were left by a killed process, and
// the load balancers that a new controller would not put right. Gateways' proxies
// would go on dialling the old controller. Services' proxies keep serving, unless
// they come from other settings or from an earlier cluster of the same name.
func (c *Controller) clear(ctx context.Context, seen look, spec engine.Spec) error {
	changed := false
	for _, container := range seen.controllers {
		changed = changed || container.Labels[labelSettings] != spec.Labels[labelSettings]
	}
	if err := c.removeAll(ctx, slices.Concat(seen.controllers, seen.helpers)); err != nil {
		return err
	}
	return c.sweep(ctx, func(proxy engine.Container) bool {
		return changed || isGateway(proxy) || seen.cluster.outlived(proxy)
	})
}

func (c *Controller) removeAll(ctx context.Context, containers []engine.Container) error {
	var errs []error
	for _, container := range containers {
		if err := c.eng.Remove(ctx, container.ID); err != nil && !errors.Is(err, engine.ErrNotFound) {
			errs = append(errs, fmt.Errorf("removing %q: %w", container.Name, err))
		}
	}
	return errors.Join(errs...)
}
