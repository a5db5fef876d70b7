package cloudprovider

import (
	"context"
	"fmt"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// look is what there is on the engine, seen at once.
type look struct {
	controllers []engine.Container // ours: one or none, unless versions or people started more
	helpers     []engine.Container // ours, also what a killed process left
	cluster     cluster
	proxies     []engine.Container // the cluster's load balancers
	rivals      []engine.Container
}

// look asks for all containers, since what was started by another version of
// this module, or by somebody else, carries no label to ask for.
func (c *Controller) look(ctx context.Context) (look, error) {
	all, err := c.eng.List(ctx, nil)
	if err != nil {
		return look{}, fmt.Errorf("looking for the cloud provider's container: %w", err)
	}
	var seen look
	for _, container := range all {
		switch {
		case c.owns(container) && isHelper(container):
			seen.helpers = append(seen.helpers, container)
		case c.owns(container):
			seen.controllers = append(seen.controllers, container)
		case carries(container, c.nodeLabels()):
			seen.cluster = append(seen.cluster, container)
		case carries(container, map[string]string{LabelCluster: c.cfg.ClusterName}):
			seen.proxies = append(seen.proxies, container)
		case c.isRival(container):
			seen.rivals = append(seen.rivals, container)
		}
	}
	return seen, nil
}

// find returns our controllers, which is quicker than a look.
func (c *Controller) find(ctx context.Context) ([]engine.Container, error) {
	found, err := c.listExactly(ctx, map[string]string{LabelOwner: c.cfg.ClusterName})
	if err != nil {
		return nil, fmt.Errorf("looking for the cloud provider's container: %w", err)
	}
	var controllers []engine.Container
	for _, container := range found {
		if !isHelper(container) {
			controllers = append(controllers, container)
		}
	}
	return controllers, nil
}

// owns reports whether container is a controller or a helper of ours, of this
// version of the module or of another. Without the owner's label it has to have
// our container's name, and a label that says that this is no coincidence.
func (c *Controller) owns(container engine.Container) bool {
	if owner, labelled := container.Labels[LabelOwner]; labelled {
		return owner == c.cfg.ClusterName
	}
	return container.Name == c.name() && (hasOurMark(container) || c.isNamedInLabels(container))
}

// hasOurMark recognises the labels of this module's containers. Images of it
// have labels with the same prefix, so that this alone would not do.
func hasOurMark(container engine.Container) bool {
	_, role := container.Labels[LabelRole]
	_, settings := container.Labels[labelSettings]
	return role || settings
}

// isNamedInLabels reports whether a label of ours has the cluster's name.
func (c *Controller) isNamedInLabels(container engine.Container) bool {
	for key, value := range container.Labels {
		if strings.HasPrefix(key, labelPrefix) && value == c.cfg.ClusterName && value != "" {
			return true
		}
	}
	return false
}

func isHelper(container engine.Container) bool {
	return strings.HasPrefix(container.Labels[LabelRole], helperPrefix)
}

// isScoped reports whether a controller of ours is known to see its own
// cluster alone, so that it may end gracefully.
func isScoped(container engine.Container) bool {
	return container.Labels[LabelOwner] != "" && container.Labels[LabelRole] == RoleController && container.Labels[labelSettings] != ""
}
