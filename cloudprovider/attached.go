package cloudprovider

import (
	"context"
	"errors"
	"fmt"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// maxCrashes is how often a controller may crash since its start and still be
// waited for: it can trip over another cluster that is just being created.
const maxCrashes = 2

// Attached returns nil once the log of the controller's current run says that it
// serves ClusterName, or any cluster when that is empty. Otherwise its error
// says what was last seen, and ends a [retry.Until] when waiting is of no use: the
// controller is gone or stopped, crashes again and again, or is that of an earlier
// cluster. Where its log can't be read, a running controller is enough.
func (c *Controller) Attached(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	container, err := c.only(ctx)
	if err != nil {
		if errors.Is(err, errAbsent) {
			return retry.Stop(err)
		}
		return err
	}
	if err := c.runs(ctx, container); err != nil {
		return err
	}
	log, readable, err := c.read(ctx, container)
	if err != nil || !readable {
		return err
	}
	return c.serves(log)
}

// runs returns an error unless the container runs, for the cluster that is there.
func (c *Controller) runs(ctx context.Context, container engine.Container) error {
	if container.RestartCount > maxCrashes {
		return retry.Stop(fmt.Errorf("the cloud provider %q keeps crashing: %w", container.Name, c.crash(ctx, container)))
	}
	if container.State != engine.Running {
		err := fmt.Errorf("the cloud provider %q does not run: %w", container.Name, c.crash(ctx, container))
		if container.State == engine.Paused || container.State == engine.Dead || c.wasStopped(container) {
			return retry.Stop(err)
		}
		return err
	}
	now, err := c.cluster(ctx)
	if err != nil {
		return err
	}
	if now.outlived(container) {
		return retry.Stop(fmt.Errorf("the cloud provider %q does not serve cluster %q: %s", container.Name, c.cfg.ClusterName, earlierCluster))
	}
	return nil
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
