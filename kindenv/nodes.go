package kindenv

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// nodes are the containers of a cluster, kind's load balancer included.
type nodes []engine.Container

// nodes lists the cluster's nodes: of the containers with its label those that
// have a role of kind's.
func (s *session) nodes(ctx context.Context) (nodes, error) {
	found, err := s.containers(ctx)
	known, _ := found.split()
	return known, err
}

// containers lists every container with the cluster's label.
func (s *session) containers(ctx context.Context) (nodes, error) {
	if m, ok := s.eng.(mute); ok {
		return s.namedNodes(ctx, m)
	}
	found, err := s.eng.List(ctx, map[string]string{kind.LabelCluster: s.name})
	if err != nil {
		return nil, fmt.Errorf("look for the nodes of cluster %q: %w", s.name, err)
	}
	return found, nil
}

// namedNodes asks kind, which tells names alone: whether they run is not known.
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
			ID: m.runtime + "/" + name, Name: name,
			Labels: map[string]string{kind.LabelCluster: s.name, kind.LabelRole: role},
		})
	}
	return found, nil
}

// split parts kind's nodes from strangers: containers that carry the cluster's
// label, but no role of kind's.
func (n nodes) split() (known, strangers nodes) {
	for _, container := range n {
		switch container.Labels[kind.LabelRole] {
		case kind.RoleControlPlane, kind.RoleWorker, kind.RoleLoadBalancer:
			known = append(known, container)
		default:
			strangers = append(strangers, container)
		}
	}
	return known, strangers
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

// asleep says that no control plane runs, so that nothing answers.
func (n nodes) asleep() bool {
	return !slices.ContainsFunc(n.with(kind.RoleControlPlane), func(node engine.Container) bool {
		return node.State == engine.Running || node.State == engine.Restarting || node.State == ""
	})
}

// names lists them for people, with their states.
func (n nodes) names() string {
	described := make([]string, len(n))
	for i, node := range n {
		described[i] = fmt.Sprintf("%s (%s)", node.Name, or(string(node.State), "state not known"))
	}
	return strings.Join(described, ", ")
}
