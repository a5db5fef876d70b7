package kindenv

import (
	"context"
	"fmt"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// watchEvery is how often the nodes are looked at while something is waited for.
const watchEvery = time.Second

// watch returns a ctx that ends when one of the nodes no longer runs: nothing
// of what is waited for comes then. The function that it returns ends the watch.
func (s *session) watch(ctx context.Context, all nodes) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	if _, silent := s.eng.(mute); silent {
		return ctx, func() { cancel(nil) }
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if fallen := s.fallen(ctx, all); fallen != nil {
				cancel(fallen)
			}
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-ended
	}
}

// fallen looks for a node that no longer runs. An engine that does not answer
// just now says nothing about them.
func (s *session) fallen(ctx context.Context, all nodes) error {
	now, err := s.nodes(ctx)
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	states := map[string]engine.Container{}
	for _, node := range now {
		states[node.ID] = node
	}
	for _, node := range all {
		is, there := states[node.ID]
		switch {
		case !there:
			return fmt.Errorf("node %q was removed meanwhile", node.Name)
		case is.State != engine.Running && is.State != engine.Restarting:
			return fmt.Errorf("node %q does not stay up, it is %s: see %s logs %s", node.Name, stateOf(is), s.runtimeOf(s.eng), node.Name)
		}
	}
	return nil
}
