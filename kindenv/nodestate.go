package kindenv

import (
	"fmt"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kubeapi"
)

// statusOfNodes describes the nodes. inside is nil when Kubernetes can't be asked.
func (s *session) statusOfNodes(status *Status, all nodes, inside []kubeapi.Node) {
	known := map[string]kubeapi.Node{}
	for _, node := range inside {
		known[node.Name] = node
	}
	for _, node := range all {
		role := node.Labels[kind.LabelRole]
		registered, ok := known[member(node)]
		lost := inside != nil && !ok && role != kind.RoleLoadBalancer
		status.Nodes = append(status.Nodes, Node{
			Name: node.Name, Role: role, State: node.State, Ended: ended(node),
			Ready: registered.Ready, Reason: registered.Reason, Version: registered.Version,
			Remedy: remedyFor(node, lost),
		})
	}
}

// remedyFor says what is wrong with a node and what Up does about it. lost: Kubernetes does not know it.
func remedyFor(node engine.Container, lost bool) string {
	var parts []string
	switch node.State {
	case engine.Created:
		parts = append(parts, "it never ran; env:up starts it")
	case engine.Exited:
		parts = append(parts, "env:up starts it again")
	case engine.Paused:
		parts = append(parts, "env:up thaws it")
	case engine.Restarting:
		parts = append(parts, "the engine starts it again; env:up waits for it")
	case engine.Removing:
		parts = append(parts, "the engine removes it; env:up waits for that")
	case engine.Dead:
		parts = append(parts, "the engine failed to remove it; env:up tries that again")
	case engine.Running:
		if lost {
			parts = append(parts, "Kubernetes does not know it; env:up has it join again")
		}
	}
	if node.Hostname != "" && node.Hostname != node.Name && !lost {
		parts = append(parts, fmt.Sprintf("was renamed: Kubernetes and the other nodes know it as %s", node.Hostname))
	}
	return strings.Join(parts, "; ")
}

// ended says how and when a container that does not run came to that.
func ended(node engine.Container) string {
	if node.State != engine.Exited && node.State != engine.Restarting && node.State != engine.Dead {
		return node.Error
	}
	parts := []string{fmt.Sprint(node.ExitCode)}
	if node.OOMKilled {
		parts = append(parts, "out of memory")
	}
	if !node.EndedAt.IsZero() {
		parts = append(parts, ago(time.Since(node.EndedAt)))
	}
	if node.Error != "" {
		parts = append(parts, node.Error)
	}
	return strings.Join(parts, ", ")
}

// ago says how long ago something was, in the largest unit that it has more than one of.
func ago(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "days"}, {time.Hour, "hours"}, {time.Minute, "minutes"}} {
		if d >= 2*unit.length {
			return fmt.Sprintf("%d %s ago", d/unit.length, unit.name)
		}
	}
	return fmt.Sprintf("%d seconds ago", max(0, d/time.Second))
}

// stateOf is a container's state with what goes with it.
func stateOf(node engine.Container) string {
	return Node{State: node.State, Ended: ended(node)}.state()
}

func (n Node) state() string {
	text := or(string(n.State), "state not known")
	if n.Ended != "" {
		text += " (" + n.Ended + ")"
	}
	return text
}

// describe says what there is to know of a node.
func (n Node) describe() string {
	parts := []string{n.state()}
	switch {
	case n.State != engine.Running && n.State != "", n.Role == kind.RoleLoadBalancer:
	case n.Ready:
		parts = append(parts, "Ready")
	case n.Reason != "":
		parts = append(parts, "not ready: "+n.Reason)
	}
	if n.Version != "" {
		parts = append(parts, n.Version)
	}
	if n.Remedy != "" {
		return strings.Join(parts, ", ") + "; " + n.Remedy
	}
	return strings.Join(parts, ", ")
}
