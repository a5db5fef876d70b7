package kind

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// errStuck is wrapped by the cause of the end of a call that took too long.
var errStuck = errors.New("the engine or the command hangs")

// killCommands ends the commands about a cluster that kind goes on waiting for
// where it was given up on because they hang. Calls that end for other reasons
// may have others beside them that go on.
func (d *Driver) killCommands(ctx context.Context, cluster string) {
	if cause := context.Cause(ctx); errors.Is(cause, errStuck) || errors.Is(cause, engine.ErrUnavailable) {
		killCommands(d.runtime, cluster)
	}
}

// concerns says whether a command line is one of kind's about a cluster: it
// names one of its nodes, or the cluster in a label.
func concerns(args []string, runtime, cluster string) bool {
	if len(args) == 0 || filepath.Base(args[0]) != runtime {
		return false
	}
	for _, arg := range args[1:] {
		if strings.HasSuffix(arg, LabelCluster+"="+cluster) {
			return true
		}
		for _, role := range []string{RoleControlPlane, RoleWorker, RoleLoadBalancer} {
			number, ok := strings.CutPrefix(arg, cluster+"-"+role)
			if ok && strings.Trim(number, "0123456789") == "" {
				return true
			}
		}
	}
	return false
}
