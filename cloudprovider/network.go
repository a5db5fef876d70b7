package cloudprovider

import (
	"context"
	"fmt"
	"strings"
)

// checkNetwork makes sure that the cluster's network exists, once: kind makes
// it with the first cluster, and two first clusters at once can make two.
func (c *Controller) checkNetwork(ctx context.Context) error {
	ids, err := c.eng.NetworkIDs(ctx, c.cfg.Network)
	switch {
	case err != nil:
		return err
	case len(ids) == 0:
		return fmt.Errorf("network %q does not exist: %s", c.cfg.Network, c.networkOrigin())
	case len(ids) > 1:
		return fmt.Errorf("there are %d networks named %q (%s), and the nodes may be in either: remove the one without containers, by its ID",
			len(ids), c.cfg.Network, strings.Join(ids, ", "))
	}
	return nil
}

func (c *Controller) networkOrigin() string {
	if c.cfg.Network == defaultNetwork {
		return "kind makes it when it creates a cluster; create the cluster first"
	}
	return fmt.Sprintf("kind makes it when it creates a cluster with KIND_EXPERIMENTAL_DOCKER_NETWORK=%s; create the cluster so, or leave Network empty for %q",
		c.cfg.Network, defaultNetwork)
}
