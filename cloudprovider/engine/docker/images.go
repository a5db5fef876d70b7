package docker

import (
	"context"
	"fmt"

	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/image"
	"github.com/docker/docker/api/types/network"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// Image implements [engine.Images].
func (e *Engine) Image(ctx context.Context, ref string) (engine.Image, error) {
	found, err := ask(ctx, e, e.limits.question, func(ctx context.Context) (image.InspectResponse, error) {
		return e.api.ImageInspect(ctx, ref)
	})
	if err != nil {
		return engine.Image{}, fmt.Errorf("looking for image %q: %w", ref, err)
	}
	described := engine.Image{ID: found.ID, Labels: map[string]string{}}
	if found.Config != nil && found.Config.Labels != nil {
		described.Labels = found.Config.Labels
	}
	return described, nil
}

// NetworkIDs implements [engine.Networks].
func (e *Engine) NetworkIDs(ctx context.Context, name string) ([]string, error) {
	found, err := ask(ctx, e, e.limits.question, func(ctx context.Context) ([]network.Summary, error) {
		return e.api.NetworkList(ctx, network.ListOptions{Filters: filters.NewArgs(filters.Arg("name", name))})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for network %q: %w", name, err)
	}
	var ids []string
	for _, n := range found {
		if n.Name == name { // the filter also finds names that contain it
			ids = append(ids, n.ID)
		}
	}
	return ids, nil
}
