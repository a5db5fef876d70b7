package cloudprovider

import (
	_ "embed"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// The cloud provider asks the docker CLI for every kind cluster, and at its end
// for every load balancer, of the whole engine. A script in the CLI's place,
// earlier on PATH, narrows these questions to one cluster. The cluster's name
// reaches it through the environment, so the script is the same for all.
const (
	scopePath = "/usr/local/sbin/docker"
	scopeMode = 0o755
	scopeEnv  = "MAGEKIND_CLUSTER"
)

//go:embed scope.sh
var scopeScript []byte

// scopeFiles returns what goes into the container to keep it to cluster.
func scopeFiles(cluster string) []engine.File {
	if cluster == "" {
		return nil
	}
	return []engine.File{{Path: scopePath, Mode: scopeMode, Content: scopeScript}}
}
