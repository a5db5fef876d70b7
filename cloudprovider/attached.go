package cloudprovider

import (
	"context"
	"errors"
	"fmt"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// Attached returns nil once the log of the controller's current run says that it
// serves ClusterName, or any cluster when that is empty. Otherwise its error
// says what was last seen. On an engine that can't stream logs, a running controller is enough.
func (c *Controller) Attached(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	container, err := c.only(ctx)
	if err != nil {
		return err
	}
	if container.State != engine.Running {
		return fmt.Errorf("the cloud provider %q does not run: %w", container.Name, c.crash(ctx, container))
	}
	log, readable, err := c.read(ctx, container)
	if err != nil || !readable {
		return err
	}
	return c.serves(log)
}

// serves says whether the log tells of the cluster, and if not, why.
func (c *Controller) serves(log journal) error {
	switch {
	case log.listing != "":
		return fmt.Errorf("the cloud provider fails: %w", c.blind(log))
	case log.serves(c.cfg.ClusterName):
		return nil
	case log.trouble != "":
		return fmt.Errorf("the cloud provider can't serve the cluster yet, and tries again within 30 s: %s", log.trouble)
	case c.cfg.ClusterName == "":
		return errors.New("the cloud provider serves no cluster yet; " + log.evidence(glance))
	}
	return fmt.Errorf("the cloud provider does not serve cluster %q yet; %s", c.cfg.ClusterName, log.evidence(glance))
}

// serves reports whether cluster is attached, or any when it is empty.
func (j journal) serves(cluster string) bool {
	if cluster == "" {
		return len(j.attached) > 0
	}
	return j.attached[cluster]
}
