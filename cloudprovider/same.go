package cloudprovider

import (
	"context"
	"errors"
	"fmt"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// outdated says why Start would make the controller anew; empty: it is as
// wanted. There has to be one.
func (c *Controller) outdated(ctx context.Context, seen look, spec engine.Spec) (string, error) {
	container := seen.controllers[0]
	switch {
	case len(seen.controllers) > 1:
		return fmt.Sprintf("there are %d of it", len(seen.controllers)), nil
	case container.State != engine.Running:
		return c.ending(ctx, container), nil
	case container.RestartCount > 0:
		return "it crashed: " + c.ending(ctx, container), nil
	case seen.cluster.outlived(container):
		return earlierCluster, nil
	case container.Labels[LabelRole] != RoleController || container.Labels[labelSettings] == "":
		return "another version of this module started it", nil
	case container.Labels[labelSettings] != spec.Labels[labelSettings]:
		return "it was started with other settings, or for other nodes", nil
	}
	if stale, err := c.staleGateways(ctx, container); err != nil {
		return "", err
	} else if stale {
		return "it has run anew, and Gateways of the run before would not find it", nil
	}
	same, err := c.sameImage(ctx, container)
	if same || err != nil {
		return "", err
	}
	return fmt.Sprintf("image %q is another one now", container.Image), nil
}

// earlierCluster is the trouble of a controller whose cluster was deleted and
// made again: it keeps the old one's certificates for ever.
const earlierCluster = "it is that of an earlier cluster of the same name"

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
