package cloudprovider

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/distribution/reference"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// program is the cloud provider's, in its image and on a host.
const program = "cloud-provider-kind"

// rivalry is what a cloud provider does that serves every cluster on the engine.
const rivalry = "is a cloud provider for every cluster on this engine, %q too: the two fight over its load balancers, and it removes them all when it ends"

// warnings tell of other cloud providers that serve this cluster too.
func (c *Controller) warnings(seen look) []string {
	if c.cfg.ClusterName == "" {
		return nil
	}
	var warnings []string
	for _, rival := range seen.rivals {
		warnings = append(warnings, fmt.Sprintf("Container %q (%s) "+rivalry+". Remove it so that it can't: %s rm -f %s",
			rival.Name, rival.Image, c.cfg.ClusterName, c.eng.Endpoint().Kind, rival.Name))
	}
	for _, rival := range c.localProcesses() {
		warnings = append(warnings, fmt.Sprintf("Process %d on this machine (%s) "+rivalry+". End it so that it can't: kill -9 %d",
			rival.pid, rival.command, c.cfg.ClusterName, rival.pid))
	}
	return warnings
}

// localProcesses looks only where the engine is on this machine, without a VM between.
func (c *Controller) localProcesses() []process {
	at := c.eng.Endpoint()
	if c.goos != "linux" || at.Remote {
		return nil
	}
	return c.processes(at)
}

// isRival recognises an engine-wide controller of ours, and upstream's program
// or image run by anybody, that runs or is about to.
func (c *Controller) isRival(container engine.Container) bool {
	if container.State != engine.Running && container.State != engine.Restarting {
		return false
	}
	if owner, ours := container.Labels[LabelOwner]; ours {
		return owner == "" && !isHelper(container)
	}
	for _, label := range []string{LabelCluster, labelNodeCluster} {
		if _, partOfCluster := container.Labels[label]; partOfCluster {
			return false
		}
	}
	if hasOurMark(container) { // another version's, which is another cluster's
		return false
	}
	runs, other := runsProgram(container.Command)
	return runs || !other && isProviderImage(container.Image)
}

// runsProgram reports whether command is the cloud provider itself, or other
// when it is one of its program's other commands, such as list-images.
func runsProgram(command []string) (runs, other bool) {
	i := slices.IndexFunc(command, func(word string) bool { return path.Base(word) == program })
	if i < 0 || i > 0 && !isWrapper(command[0]) {
		return false, false
	}
	runs = i+1 == len(command) || strings.HasPrefix(command[i+1], "-") && command[i+1] != "--help" && command[i+1] != "-h"
	return runs, !runs
}

// isWrapper recognises what containers are often run through.
func isWrapper(word string) bool {
	return slices.Contains([]string{"tini", "docker-init", "dumb-init"}, path.Base(word))
}

// isProviderImage recognises upstream's image under any registry, tag and digest.
func isProviderImage(ref string) bool {
	named, err := reference.ParseNormalizedNamed(ref)
	if err != nil {
		return false // an ID
	}
	name := reference.Path(named)
	return path.Base(name) == program || strings.HasSuffix("/"+name, "/"+program+"/cloud-controller-manager")
}
