package cloudprovider

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// sweep removes this cluster's load balancers that match, again and again until
// none is left. Its error names what is. An engine-wide controller's load
// balancers may be any project's, so these it leaves alone.
func (c *Controller) sweep(ctx context.Context, match func(engine.Container) bool) error {
	if c.cfg.ClusterName == "" {
		return nil
	}
	err := retry.Until(ctx, c.sweepBudget, func(ctx context.Context) error {
		proxies, err := c.proxies(ctx, match)
		if err != nil || len(proxies) == 0 {
			return err
		}
		removal := c.removeAll(ctx, proxies)
		// what matters is what is there afterwards
		left, err := c.proxies(ctx, match)
		if err != nil {
			return errors.Join(removal, err)
		}
		return leftOver(left, removal)
	})
	if err != nil {
		return fmt.Errorf("removing the load balancers of cluster %q: %w", c.cfg.ClusterName, err)
	}
	return nil
}

// proxies lists this cluster's load balancers that match.
func (c *Controller) proxies(ctx context.Context, match func(engine.Container) bool) ([]engine.Container, error) {
	listed, err := c.listExactly(ctx, map[string]string{LabelCluster: c.cfg.ClusterName})
	if err != nil {
		return nil, err
	}
	var matching []engine.Container
	for _, container := range listed {
		if match(container) {
			matching = append(matching, container)
		}
	}
	return matching, nil
}

func leftOver(left []engine.Container, cause error) error {
	if len(left) == 0 {
		return nil
	}
	names := make([]string, len(left))
	for i, container := range left {
		names[i] = fmt.Sprintf("%s (%s)", container.Name, container.State)
	}
	err := fmt.Errorf("still there: %s", strings.Join(names, ", "))
	return errors.Join(err, cause)
}

func every(engine.Container) bool { return true }

func isGateway(proxy engine.Container) bool {
	_, ok := proxy.Labels[LabelGateway]
	return ok
}
