package cloudprovider

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// look is what there is on the engine.
type look struct {
	controllers []engine.Container // ours: one or none, unless versions or people started more
	helpers     []engine.Container // ours, also what a killed process left
	cluster     cluster
	rivals      []engine.Container
}

// look begins with all containers, since what was started by another version
// of this module, or by somebody else, carries no label to ask for.
func (c *Controller) look(ctx context.Context) (look, error) {
	var seen look
	all, err := c.survey(ctx)
	if err != nil {
		return look{}, fmt.Errorf("looking for cloud providers: %w", err)
	}
	if seen.controllers, err = c.find(ctx); err != nil {
		return look{}, err
	}
	for _, container := range all {
		_, labelled := container.Labels[LabelOwner]
		switch {
		case !c.owns(container):
			if c.isRival(container) {
				seen.rivals = append(seen.rivals, container)
			}
		case isHelper(container):
			seen.helpers = append(seen.helpers, container)
		case !labelled: // not found by the label
			described, err := c.describe(ctx, container)
			if err != nil {
				return look{}, err
			}
			seen.controllers = append(seen.controllers, described...)
		}
	}
	seen.cluster, err = c.cluster(ctx)
	return seen, err
}

// describe fills in what a survey leaves out; none when the container has gone.
func (c *Controller) describe(ctx context.Context, container engine.Container) ([]engine.Container, error) {
	alike, err := c.listExactly(ctx, container.Labels)
	if err != nil {
		return nil, fmt.Errorf("looking at container %q: %w", container.Name, err)
	}
	return slices.DeleteFunc(alike, func(other engine.Container) bool { return other.ID != container.ID }), nil
}

// survey tells of all containers, as quickly as the engine can.
func (c *Controller) survey(ctx context.Context) ([]engine.Container, error) {
	if surveyor, ok := c.eng.(engine.Surveyor); ok {
		return surveyor.Survey(ctx)
	}
	return c.eng.List(ctx, nil)
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
