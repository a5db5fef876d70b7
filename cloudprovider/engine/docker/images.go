package docker

import (
	"context"
	"fmt"

	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/network"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// Image implements [engine.Images].
func (e *Engine) Image(ctx context.Context, ref string) (engine.Image, error) {
	found, err := e.api.ImageInspect(ctx, ref)
	if err != nil {
		return engine.Image{}, fmt.Errorf("looking for image %q: %w", ref, translate(err))
	}
	image := engine.Image{ID: found.ID, Labels: map[string]string{}}
	if found.Config != nil && found.Config.Labels != nil {
		image.Labels = found.Config.Labels
	}
	return image, nil
}

// NetworkIDs implements [engine.Networks].
func (e *Engine) NetworkIDs(ctx context.Context, name string) ([]string, error) {
	found, err := e.api.NetworkList(ctx, network.ListOptions{Filters: filters.NewArgs(filters.Arg("name", name))})
	if err != nil {
		return nil, fmt.Errorf("looking for network %q: %w", name, translate(err))
	}
	var ids []string
	for _, n := range found {
		if n.Name == name { // the filter also finds names that contain it
			ids = append(ids, n.ID)
		}
	}
	return ids, nil
}
