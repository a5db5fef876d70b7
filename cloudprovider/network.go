package cloudprovider

import (
	"context"
	"errors"
	"fmt"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// ErrAmbiguousNetwork: several networks have the name of the cluster's.
var ErrAmbiguousNetwork = errors.New("network name is ambiguous")

// NetworkExists says whether eng has the network that clusters are on. kind
// makes it with the first cluster, and two first clusters at once can make two
// of that name: the error is then an [ErrAmbiguousNetwork] which tells them
// apart, and how to get rid of one.
func NetworkExists(ctx context.Context, eng engine.Engine, name string) (bool, error) {
	ids, err := eng.NetworkIDs(ctx, name)
	if err != nil {
		return false, err
	}
	if len(ids) > 1 {
		return true, explainTwins(ctx, eng, name, ids)
	}
	return len(ids) == 1, nil
}

// checkNetwork makes sure that the cluster's network exists, once.
func (c *Controller) checkNetwork(ctx context.Context) error {
	exists, err := NetworkExists(ctx, c.eng, c.cfg.Network)
	if err == nil && !exists {
		err = fmt.Errorf("network %q does not exist: %s", c.cfg.Network, c.networkOrigin())
	}
	return err
}

func (c *Controller) networkOrigin() string {
	if c.cfg.Network == defaultNetwork {
		return "kind makes it when it creates a cluster; create the cluster first"
	}
	return fmt.Sprintf("kind makes it when it creates a cluster with KIND_EXPERIMENTAL_DOCKER_NETWORK=%s; create the cluster so, or leave Network empty for %q",
		c.cfg.Network, defaultNetwork)
}
