package kindenv

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// run is what is remembered of a node's current run, once that was ready.
type run struct {
	Started time.Time  `json:"started"`
	Address netip.Addr `json:"address"`
}

// restarted says whether a node runs anew, as after a restart of the engine,
// and has not been found ready since.
func (s *session) restarted(node engine.Container) bool {
	return node.State == engine.Running && !node.EndedAt.IsZero() && !s.memory.Runs[node.ID].Started.Equal(node.StartedAt)
}

// noteRuns remembers the runs of nodes that are ready.
func (s *session) noteRuns(all nodes) error {
	runs := map[string]run{}
	for _, node := range all {
		runs[node.ID] = run{Started: node.StartedAt.UTC(), Address: s.address(node)}
	}
	same := len(runs) == len(s.memory.Runs)
	for id, now := range runs {
		before, known := s.memory.Runs[id]
		same = same && known && before.Started.Equal(now.Started) && before.Address == now.Address
	}
	if same {
		return nil
	}
	s.memory.Runs = runs
	return s.memory.keep()
}

// address is a node's in the cluster's network; invalid while it does not run.
func (s *session) address(node engine.Container) netip.Addr {
	for _, at := range node.Networks {
		if at.Network == s.cfg.CloudProvider.Network {
			return at.IPv4
		}
	}
	return netip.Addr{}
}

// inOrder sorts nodes by the addresses that they had. Engines give addresses in
// the order of the starts, from the first that is free: so nodes that are
// started in this order get theirs again, unless something else has taken them.
func (s *session) inOrder(some nodes) nodes {
	return slices.SortedStableFunc(slices.Values(some), func(a, b engine.Container) int {
		return cmp.Or(s.memory.Runs[a.ID].Address.Compare(s.memory.Runs[b.ID].Address), strings.Compare(a.Name, b.Name))
	})
}

// explainMoves adds to the error of an API server that is not ready that the
// control planes' addresses have changed. One control plane alone sees to that
// itself, and workers find it by its name (kind's node image, in its entrypoint);
// but the members of an etcd with several know each other by address.
func (s *session) explainMoves(ctx context.Context, all nodes, err error) error {
	planes := all.with(kind.RoleControlPlane)
	if len(planes) < 2 || ctx.Err() != nil {
		return err
	}
	var moves []string
	for _, node := range planes {
		before, now := s.memory.Runs[node.ID].Address, s.address(node)
		if before.IsValid() && before != now {
			moves = append(moves, fmt.Sprintf("%s from %s to %s", node.Name, before, now))
		}
	}
	if len(moves) == 0 {
		return err
	}
	return fmt.Errorf("%w\n\tthe addresses of the control planes have changed (%s), by which the members of the cluster's etcd know each other: "+
		"kind can't mend that; env:down and then env:up make a new cluster", err, strings.Join(moves, ", "))
}

// wakeInTurn starts nodes so that they may get the addresses again that they had.
func (s *session) wakeInTurn(ctx context.Context, asleep nodes) error {
	for _, node := range s.inOrder(asleep) {
		if err := s.wakeOne(ctx, node); err != nil {
			return fmt.Errorf("start node %q, which is %s: %w; env:down and env:up make a new cluster", node.Name, node.State, err)
		}
	}
	return nil
}
