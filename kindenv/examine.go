package kindenv

import (
	"context"
	"fmt"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kubeapi"
)

// examine says of the whole what is wrong with it, and what Up and Down do.
func (s *session) examine(ctx context.Context, status *Status, all nodes, inside []kubeapi.Node, thorough bool) {
	warn := func(text string) { status.Warnings = append(status.Warnings, text) }
	if !status.Exists {
		if left := status.left(); left != "" {
			warn(left + " of a cluster that is gone: env:down removes what is left, env:up makes the cluster anew")
		}
		return
	}
	_, staying := all.going()
	control := staying.control()
	finished := s.memory.finished(control)
	creating := s.memory.Creating && (s.memory.Control == "" || s.memory.Control == control)
	switch because := staying.brokenOff(creating); {
	case len(staying) == 0:
		warn("half-deleted: env:up makes it anew, env:down removes the rest")
	case s.memory.Removing && s.memory.Control == control:
		status.anew("half-deleted: an env:down was interrupted")
	case because != "":
		status.anew("half-created or half-deleted: " + because)
	case creating:
		warn("its creation goes on, or was interrupted: then env:up completes it or makes it anew")
	}
	if lost := all.lost(s.name, inside); len(lost) > 0 {
		warn(s.mourn(lost, s.kubectlFor(status.Merged)))
	}
	if gone := all.gone(); gone != "" && status.API != ready {
		warn(gone + " gone, and what is left is no majority of the control planes: make the cluster anew with env:down and env:up")
	}
	if thorough {
		s.examineInside(ctx, status, staying, finished)
	}
}

// anew says that Up makes the whole cluster anew, which leaves nothing to do about single nodes.
func (s *Status) anew(because string) {
	s.Warnings = append(s.Warnings, because+"; env:up makes it anew, env:down removes it")
	for i := range s.Nodes {
		s.Nodes[i].Remedy = ""
	}
}

// left names what there is of an environment without a cluster, beside the cloud provider.
func (s *Status) left() string {
	switch {
	case len(s.LoadBalancers) > 0:
		return "load balancers are"
	case s.Kubeconfig != "" || s.Merged:
		return "a kubeconfig is"
	}
	return ""
}

// absent is the cloud provider's state when there is none.
const absent = "absent"

// examineInside looks at what kubeadm left in the control plane.
func (s *session) examineInside(ctx context.Context, status *Status, all nodes, finished bool) {
	ctx, cancel := context.WithTimeout(ctx, statusBudget)
	defer cancel()
	for _, node := range all.with(kind.RoleControlPlane) {
		if node.ID != all.control() || node.State != engine.Running {
			continue
		}
		traces, err := s.traces(ctx, node.ID)
		switch {
		case err != nil || traces.admin:
		case traces.beyond:
			status.Warnings = append(status.Warnings, fmt.Sprintf("node %s has lost %s; env:up makes it again", node.Name, adminConf))
		case finished:
			status.Warnings = append(status.Warnings, fmt.Sprintf("node %s has lost its Kubernetes: make the cluster anew with env:down and env:up", node.Name))
		case !s.memory.Creating:
			status.anew("half-created: kubeadm has not finished in node " + node.Name)
		}
	}
}
