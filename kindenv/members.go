package kindenv

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kubeapi"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// member is the name that Kubernetes has for a node: kind gives it to the
// container as a hostname, which outlives a change of the container's name.
func member(node engine.Container) string {
	return or(node.Hostname, node.Name)
}

// reunite compares the nodes with those that Kubernetes knows. One that it has
// lost joins again; one that has no container any more is an error, since
// Kubernetes waits for it for ever and nothing brings it back.
func (s *session) reunite(ctx context.Context, all nodes) error {
	if _, silent := s.eng.(mute); silent || s.made {
		return nil
	}
	var inside []kubeapi.Node
	err := s.await(ctx, nil, s.kubernetes(kubeapi.Check{Name: "nodes known", Hint: "get nodes", Run: func(ctx context.Context) (err error) {
		inside, err = s.api.Nodes(ctx)
		return err
	}}))
	if err != nil {
		return err
	}
	if lost := all.lost(s.name, inside); len(lost) > 0 {
		return errors.New(s.mourn(lost, s.kubectlCommand()))
	}
	return s.rejoin(ctx, all.unknownTo(inside))
}

// mourn says what can be done about nodes without containers. kubectl is how it is called for this cluster.
func (s *session) mourn(lost []string, kubectl string) string {
	names := strings.Join(lost, " ")
	return fmt.Sprintf("cluster %q has lost the container of node %s, which Kubernetes still counts on; what else there is of it is kept: "+
		"make it anew with env:down and env:up, or let it go on without with: %s delete node %s", s.name, strings.Join(lost, ", "), kubectl, names)
}

// lost are the nodes of kind's making that Kubernetes knows and that have no
// container. Others may have added nodes that need none.
func (n nodes) lost(cluster string, inside []kubeapi.Node) []string {
	there := map[string]bool{}
	for _, node := range n {
		there[member(node)] = true
	}
	var lost []string
	for _, node := range inside {
		if !there[node.Name] && isKinds(cluster, node.Name) {
			lost = append(lost, node.Name)
		}
	}
	return lost
}

// isKinds says whether kind names nodes of the cluster like this: by their roles, and numbered from the second on.
func isKinds(cluster, name string) bool {
	for _, role := range []string{kind.RoleControlPlane, kind.RoleWorker} {
		if number, ok := strings.CutPrefix(name, cluster+"-"+role); ok && strings.Trim(number, "0123456789") == "" {
			return true
		}
	}
	return false
}

// unknownTo are the nodes that Kubernetes does not know.
func (n nodes) unknownTo(inside []kubeapi.Node) nodes {
	known := map[string]bool{}
	for _, node := range inside {
		known[node.Name] = true
	}
	var strange nodes
	for _, node := range n {
		if !known[member(node)] && node.Labels[kind.LabelRole] != kind.RoleLoadBalancer {
			strange = append(strange, node)
		}
	}
	return strange
}

// rejoin has kubelets register with the API server, which they do when they
// start. Only one that joined before has the means.
func (s *session) rejoin(ctx context.Context, strange nodes) error {
	if _, ok := s.eng.(engine.Execer); !ok || len(strange) == 0 {
		return nil // waiting for ready nodes tells
	}
	return s.step(ctx, "Having nodes join again that Kubernetes has lost 🔗", func(ctx context.Context, _ *progress.Step) error {
		rejoiners := make([]func() error, len(strange))
		for i, node := range strange {
			rejoiners[i] = func() error {
				out, code, err := s.inside(ctx, node.ID, "test -s /etc/kubernetes/kubelet.conf && systemctl restart kubelet 2>&1")
				switch {
				case err != nil:
					return fmt.Errorf("have node %q join again: %w", node.Name, err)
				case code != 0 && out == "":
					return fmt.Errorf("container %q is no node of Kubernetes and never was: remove it with `%s rm -f %s`, or make the cluster anew with env:down and env:up",
						node.Name, s.runtimeOf(s.eng), node.Name)
				case code != 0:
					return fmt.Errorf("have node %q join again: restart its kubelet: %s", node.Name, strings.TrimSpace(out))
				}
				return nil
			}
		}
		return separately(rejoiners...)
	})
}
