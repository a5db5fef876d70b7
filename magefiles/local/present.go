package local

import (
	"context"
	"os/exec"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// findBudget bounds a look at an engine that may not answer.
const findBudget = 5 * time.Second

// newestStandIn is the last cloud provider's image that was built; empty where
// there is none, or upstream's is used.
func newestStandIn(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, findBudget)
	defer cancel()
	if len(absent(ctx, cloudprovider.DefaultImage)) == 0 {
		return ""
	}
	out, err := exec.CommandContext(ctx, "docker", "image", "ls", // the newest first
		"--filter=label=io.magekind.image=cloud-provider-standin", "--format={{.Repository}}:{{.Tag}}").Output()
	if err != nil {
		return ""
	}
	newest, _, _ := strings.Cut(string(out), "\n")
	return newest
}

// absent returns those of refs that the engine does not have. An engine that
// cannot be asked has none.
func absent(ctx context.Context, refs ...string) []string {
	eng, err := docker.Open(ctx, docker.Options{})
	if err != nil {
		return refs
	}
	defer eng.Close()
	var missing []string
	for _, ref := range refs {
		if _, err := eng.Image(ctx, ref); err != nil {
			missing = append(missing, ref)
		}
	}
	return missing
}
