package cloudprovider

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// twin is one of several networks of one name.
type twin struct {
	id         string
	containers []engine.Container // that are in it now
}

// explainTwins returns the error about several networks of one name: which they
// are, what is in each, and the commands that leave one.
func explainTwins(ctx context.Context, eng engine.Engine, name string, ids []string) error {
	all, err := eng.List(ctx, nil)
	if err != nil {
		return fmt.Errorf("%w: %d networks are named %q (%s); remove the one without containers, by its ID (what is in them can't be told: %w)",
			ErrAmbiguousNetwork, len(ids), name, strings.Join(ids, ", "), err)
	}
	twins := make([]twin, len(ids))
	for i, id := range ids {
		twins[i] = twin{id: id, containers: inNetwork(all, id)}
	}
	slices.SortFunc(twins, func(a, b twin) int { // the most useful first, as kind sees it
		return cmp.Or(cmp.Compare(len(b.containers), len(a.containers)), strings.Compare(a.id, b.id))
	})
	var text strings.Builder
	for _, t := range twins {
		fmt.Fprintf(&text, "\n  %s has %s", short(t.id), contents(t.containers))
	}
	fmt.Fprintf(&text, "\nremove all but %s:", short(twins[0].id))
	for _, command := range removal(eng.Endpoint(), twins[1:]) {
		text.WriteString("\n  " + command)
	}
	return fmt.Errorf("%w: %d networks are named %q on the engine at %q, and no container can join one of them by that name:%s",
		ErrAmbiguousNetwork, len(ids), name, eng.Endpoint().Host, text.String())
}

func inNetwork(all []engine.Container, id string) []engine.Container {
	var found []engine.Container
	for _, container := range all {
		for _, at := range container.Networks {
			if at.NetworkID == id {
				found = append(found, container)
			}
		}
	}
	return found
}

// contents names containers for people, with the clusters that they are nodes of.
func contents(containers []engine.Container) string {
	if len(containers) == 0 {
		return "no running containers"
	}
	var names []string
	for _, container := range containers {
		name := container.Name
		if cluster := container.Labels[labelNodeCluster]; cluster != "" {
			name += fmt.Sprintf(" (cluster %q)", cluster)
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// removal returns the commands that remove networks. Nodes can't be moved to
// another one: their addresses are in their certificates and settings.
func removal(at engine.Endpoint, surplus []twin) []string {
	var commands []string
	program := string(cmp.Or(at.Kind, engine.Docker))
	for _, t := range surplus {
		var clusters, others []string
		for _, container := range t.containers {
			cluster := container.Labels[labelNodeCluster]
			if cluster != "" && checkClusterName(cluster) == nil { // anything can be in a label
				clusters = append(clusters, "kind delete cluster --name "+cluster)
			} else {
				others = append(others, fmt.Sprintf("%s network disconnect --force %s %s", program, short(t.id), container.Name))
			}
		}
		commands = append(commands, slices.Compact(clusters)...)
		commands = append(commands, others...)
		commands = append(commands, fmt.Sprintf("%s network rm %s", program, short(t.id)))
	}
	return commands
}

// short is as much of an ID as the docker command shows.
func short(id string) string { return id[:min(len(id), 12)] }
