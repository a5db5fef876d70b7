package cloudprovider

import (
	"context"
	"fmt"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// noticeRivals tells of a cloud provider that serves every cluster on the
// engine, this one too: the two fight over its load balancers, and when the
// other one ends, it removes them.
func (c *Controller) noticeRivals(ctx context.Context) error {
	if c.cfg.ClusterName == "" {
		return nil
	}
	all, err := c.eng.List(ctx, nil)
	if err != nil {
		return fmt.Errorf("looking for other cloud providers: %w", err)
	}
	for _, container := range all {
		if container.State == engine.Running && isEngineWide(container) {
			c.cfg.notice(fmt.Sprintf("Container %q is a cloud provider for every cluster on this engine and will get in the way of cluster %q: better remove it.",
				container.Name, c.cfg.ClusterName))
		}
	}
	return nil
}

// isEngineWide recognises an engine-wide controller of ours, and upstream's
// image run by hand.
func isEngineWide(container engine.Container) bool {
	if role, ours := container.Labels[LabelRole]; ours {
		return role == RoleController && container.Labels[LabelOwner] == ""
	}
	return strings.Contains(container.Image, "/cloud-provider-kind/cloud-controller-manager")
}
