package cloudprovider

import (
	"context"
	"errors"
	"fmt"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// same reports whether there is one container, which runs, was made from spec,
// and has not left gateways behind in a crash or a restart.
func (c *Controller) same(ctx context.Context, old []engine.Container, spec engine.Spec) (bool, error) {
	if len(old) != 1 {
		return false, nil
	}
	container := old[0]
	if container.State != engine.Running || container.RestartCount > 0 ||
		container.Labels[labelSettings] != spec.Labels[labelSettings] {
		return false, nil
	}
	if same, err := c.sameImage(ctx, container); !same || err != nil {
		return false, err
	}
	stale, err := c.staleGateways(ctx, container)
	return !stale, err
}

// sameImage reports whether the container's image is still the one that its reference stands for.
func (c *Controller) sameImage(ctx context.Context, container engine.Container) (bool, error) {
	image, err := c.eng.Image(ctx, c.cfg.Image)
	if errors.Is(err, engine.ErrNotFound) { // ResolveImage gave another one
		image, err = c.eng.Image(ctx, container.Image)
	}
	switch {
	case errors.Is(err, engine.ErrNotFound): // untagged while it runs
		return true, nil
	case err != nil:
		return false, fmt.Errorf("comparing the image of %q: %w", container.Name, err)
	}
	return image.ID == container.ImageID, nil
}

// staleGateways reports whether a gateway's proxy is older than the
// controller's run, as after a restart of the engine: it dials a port that is gone, for ever.
func (c *Controller) staleGateways(ctx context.Context, container engine.Container) (bool, error) {
	if c.cfg.ClusterName == "" || container.EndedAt.IsZero() {
		return false, nil
	}
	stale, err := c.proxies(ctx, func(proxy engine.Container) bool {
		return isGateway(proxy) && proxy.CreatedAt.Before(container.StartedAt)
	})
	if err != nil {
		return false, fmt.Errorf("looking for stale gateways: %w", err)
	}
	return len(stale) > 0, nil
}
