package docker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// List implements [engine.Containers].
func (e *Engine) List(ctx context.Context, labels map[string]string) ([]engine.Container, error) {
	wanted := filters.NewArgs()
	for key, value := range labels {
		if value != "" {
			key += "=" + value
		}
		wanted.Add("label", key)
	}
	summaries, err := e.summaries(ctx, wanted)
	if err != nil {
		return nil, err
	}
	found := make([]engine.Container, 0, len(summaries))
	for _, s := range summaries {
		// the summary lacks the exit code, the restart count and the start time
		c, err := e.inspect(ctx, s.ID)
		switch {
		case errors.Is(err, engine.ErrNotFound):
		case err != nil && ctx.Err() == nil && !errors.Is(err, engine.ErrUnavailable):
			broken := sketch(s) // it must not hide the others
			broken.Error = err.Error()
			found = append(found, broken)
		case err != nil:
			return nil, err
		default:
			found = append(found, c)
		}
	}
	slices.SortFunc(found, byName)
	return found, nil
}

// Survey implements [engine.Surveyor].
func (e *Engine) Survey(ctx context.Context) ([]engine.Container, error) {
	summaries, err := e.summaries(ctx, filters.NewArgs())
	if err != nil {
		return nil, err
	}
	found := make([]engine.Container, len(summaries))
	for i, s := range summaries {
		found[i] = sketch(s)
	}
	slices.SortFunc(found, byName)
	return found, nil
}

func (e *Engine) summaries(ctx context.Context, wanted filters.Args) ([]container.Summary, error) {
	summaries, err := ask(ctx, e, e.limits.question, func(ctx context.Context) ([]container.Summary, error) {
		return e.api.ContainerList(ctx, container.ListOptions{All: true, Filters: wanted})
	})
	if err != nil {
		return nil, fmt.Errorf("listing containers: %w", err)
	}
	return summaries, nil
}

func byName(a, b engine.Container) int { return strings.Compare(a.Name, b.Name) }

func (e *Engine) inspect(ctx context.Context, id string) (engine.Container, error) {
	found, err := e.look(ctx, id)
	if err != nil {
		return engine.Container{}, fmt.Errorf("inspecting container %q: %w", id, err)
	}
	return describe(found), nil
}

func (e *Engine) look(ctx context.Context, id string) (container.InspectResponse, error) {
	return ask(ctx, e, e.limits.question, func(ctx context.Context) (container.InspectResponse, error) {
		return e.api.ContainerInspect(ctx, id)
	})
}

// sketch is what a list tells of a container.
func sketch(s container.Summary) engine.Container {
	c := engine.Container{
		ID: s.ID, Image: s.Image, ImageID: s.ImageID, Labels: s.Labels,
		Command: strings.Fields(s.Command), State: state(s.State), CreatedAt: time.Unix(s.Created, 0).UTC(),
	}
	if len(s.Names) > 0 {
		c.Name = strings.TrimPrefix(s.Names[0], "/")
	}
	if c.Labels == nil {
		c.Labels = map[string]string{}
	}
	return c
}
