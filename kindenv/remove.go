package kindenv

import (
	"context"
	"errors"
	"fmt"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// settle brings removals that have begun to their end, and returns the nodes
// that stay. A dead container is one that the engine could not remove: nothing starts it again.
func (s *session) settle(ctx context.Context, all nodes) (nodes, error) {
	going, _ := all.going()
	if len(going) == 0 {
		return all, nil
	}
	err := s.step(ctx, "Ending the removal of "+going.names()+" 🧹", func(ctx context.Context, _ *progress.Step) error {
		return s.removeNodes(ctx, going)
	})
	if err != nil {
		return nil, fmt.Errorf("%w; its removal has begun, so that it can't be used any more; restart the engine if it stays", err)
	}
	return s.nodes(ctx)
}

// going parts the nodes whose removal has begun from those that stay.
func (n nodes) going() (going, staying nodes) {
	for _, node := range n {
		if node.State == engine.Dead || node.State == engine.Removing {
			going = append(going, node)
		} else {
			staying = append(staying, node)
		}
	}
	return going, staying
}

// removeNodes removes the containers with their volumes. One that is gone already is no error.
func (s *session) removeNodes(ctx context.Context, all nodes) error {
	if _, ok := s.eng.(mute); ok {
		return s.driver.Delete(ctx, s.name)
	}
	removers := make([]func() error, len(all))
	for i, node := range all {
		removers[i] = func() error {
			if err := s.eng.Remove(ctx, node.ID); err != nil && !errors.Is(err, engine.ErrNotFound) {
				return fmt.Errorf("remove node %q, which is %s: %w", node.Name, node.State, err)
			}
			return nil
		}
	}
	return separately(removers...)
}
