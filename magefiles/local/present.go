package local

import (
	"context"

	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

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
