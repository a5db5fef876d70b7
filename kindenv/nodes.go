package kindenv

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// nodes are the containers of a cluster, kind's load balancer included.
type nodes []engine.Container

// nodes lists the cluster's containers.
func (s *session) nodes(ctx context.Context) (nodes, error) {
	if m, ok := s.eng.(mute); ok {
		return s.namedNodes(ctx, m)
	}
	found, err := s.eng.List(ctx, map[string]string{kind.LabelCluster: s.name})
	if err != nil {
		return nil, fmt.Errorf("look for the nodes of cluster %q: %w", s.name, err)
	}
	return found, nil
}

// namedNodes asks kind, which tells names alone: they are taken to run.
func (s *session) namedNodes(ctx context.Context, m mute) (nodes, error) {
	d, err := s.kind(ctx)
	if err != nil {
		return nil, err
	}
	names, err := d.Nodes(ctx, s.name)
	if err != nil {
		return nil, err
	}
	found := make(nodes, 0, len(names))
	for _, name := range names {
		role := kind.RoleWorker
		for _, known := range []string{kind.RoleControlPlane, kind.RoleLoadBalancer} {
			if strings.HasPrefix(name, s.name+"-"+known) {
				role = known
			}
		}
		found = append(found, engine.Container{
			ID: m.runtime + "/" + name, Name: name, State: engine.Running,
			Labels: map[string]string{kind.LabelCluster: s.name, kind.LabelRole: role},
		})
	}
	return found, nil
}

// with returns the nodes that have a role.
func (n nodes) with(role string) nodes {
	var some nodes
	for _, node := range n {
		if node.Labels[kind.LabelRole] == role {
			some = append(some, node)
		}
	}
	return some
}

// kubernetes is how many of them are nodes of Kubernetes.
func (n nodes) kubernetes() int {
	return len(n) - len(n.with(kind.RoleLoadBalancer))
}

// control returns the ID of the first control plane; they are sorted by name.
func (n nodes) control() string {
	if planes := n.with(kind.RoleControlPlane); len(planes) > 0 {
		return planes[0].ID
	}
	return ""
}

// apiServer returns where the API server is reached on this machine: at the load
// balancer before several control planes, else at the one there is.
func (n nodes) apiServer() (netip.AddrPort, bool) {
	front := n.with(kind.RoleLoadBalancer)
	if len(front) == 0 {
		front = n.with(kind.RoleControlPlane)
	}
	for _, node := range front {
		for _, port := range node.Ports {
			if port.ContainerPort == kind.APIServerPort {
				return port.Host, true
			}
		}
	}
	return netip.AddrPort{}, false
}

// names lists them for people, with their states.
func (n nodes) names() string {
	described := make([]string, len(n))
	for i, node := range n {
		described[i] = fmt.Sprintf("%s (%s)", node.Name, node.State)
	}
	return strings.Join(described, ", ")
}

// wake starts and thaws the nodes that don't run, and lists them anew if there were any.
func (s *session) wake(ctx context.Context, all nodes) (nodes, error) {
	var asleep nodes
	for _, node := range all {
		if node.State != engine.Running {
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
		s.started[node.ID] = node.State != engine.Paused
	}
	return s.nodes(ctx)
}

func (s *session) wakeAll(ctx context.Context, asleep nodes) error {
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

// removeNodes removes the containers with their volumes. One that is gone already is no error.
func (s *session) removeNodes(ctx context.Context, all nodes) error {
	if _, ok := s.eng.(mute); ok {
		return s.driver.Delete(ctx, s.name)
	}
	removers := make([]func() error, len(all))
	for i, node := range all {
		removers[i] = func() error {
			if err := s.eng.Remove(ctx, node.ID); err != nil && !errors.Is(err, engine.ErrNotFound) {
				return fmt.Errorf("remove node %q: %w", node.Name, err)
			}
			return nil
		}
	}
	return separately(removers...)
}
