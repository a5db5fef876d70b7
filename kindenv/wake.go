package kindenv

import (
	"context"
	"fmt"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// wake starts and thaws the nodes that don't run, and lists them anew if there were any.
func (s *session) wake(ctx context.Context, all nodes) (nodes, error) {
	var asleep nodes
	for _, node := range all {
		if node.State != engine.Running && node.State != "" {
			asleep = append(asleep, node)
		}
	}
	if len(asleep) == 0 {
		return all, nil
	}
	step := s.console.Step("Starting nodes that were stopped ▶️")
	err := s.wakeAll(ctx, asleep)
	step.Done(err)
	if err != nil {
		return nil, err
	}
	s.started = map[string]bool{}
	for _, node := range asleep {
		if node.State != engine.Paused {
			s.started[node.ID] = true
		} else if node.Labels[kind.LabelRole] == kind.RoleControlPlane {
			s.thawed = true
		}
	}
	return s.nodes(ctx)
}

func (s *session) wakeAll(ctx context.Context, asleep nodes) error {
	if len(asleep.with(kind.RoleControlPlane)) > 1 {
		return s.wakeInTurn(ctx, asleep)
	}
	wakers := make([]func() error, len(asleep))
	for i, node := range asleep {
		wakers[i] = func() error {
			if err := s.wakeOne(ctx, node); err != nil {
				return fmt.Errorf("start node %q, which is %s: %w; env:down and env:up make a new cluster", node.Name, node.State, err)
			}
			return nil
		}
	}
	return separately(wakers...)
}

func (s *session) wakeOne(ctx context.Context, node engine.Container) error {
	switch node.State {
	case engine.Paused:
		pauser, ok := s.eng.(engine.Pauser)
		if !ok {
			return engine.ErrUnsupported
		}
		return pauser.Unpause(ctx, node.ID)
	case engine.Restarting:
		return nil // the engine is at it
	}
	return s.eng.Start(ctx, node.ID)
}

// thaw wakes what is paused of the cloud provider: the controller, and load
// balancers, which nobody else would.
func (s *session) thaw(ctx context.Context) error {
	pauser, ok := s.eng.(engine.Pauser)
	if !ok {
		return nil
	}
	for _, label := range []string{cloudprovider.LabelOwner, cloudprovider.LabelCluster} {
		found, err := s.eng.List(ctx, map[string]string{label: s.name})
		if err != nil {
			return fmt.Errorf("look for what is paused of environment %q: %w", s.name, err)
		}
		for _, container := range found {
			if container.State != engine.Paused {
				continue
			}
			if err := pauser.Unpause(ctx, container.ID); err != nil {
				return fmt.Errorf("thaw container %q: %w", container.Name, err)
			}
		}
	}
	return nil
}
