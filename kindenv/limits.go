package kindenv

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/magekind/magekind/kindenv/internal/kind"
)

const (
	// instancesPath holds how many inotify instances a user may have. All nodes
	// on a machine share them, since their processes run as root.
	instancesPath = "/proc/sys/fs/inotify/max_user_instances"
	// nodeInstances is what one node takes, as counted in a node of Kubernetes 1.37.
	nodeInstances = 27
)

// warnOfLimits says it when the nodes will be more than the machine's inotify
// limit allows: programs in them would then end with "too many open files",
// long after their creation. See "Pod errors due to too many open files" among
// kind's known issues, where the advice is from.
func (s *session) warnOfLimits(ctx context.Context) error {
	allowed := s.deps.inotifyInstances()
	if allowed == 0 || s.eng.Endpoint().Remote {
		return nil
	}
	if _, ok := s.eng.(mute); ok {
		return nil
	}
	others, err := s.eng.List(ctx, map[string]string{kind.LabelCluster: ""})
	if err != nil {
		return fmt.Errorf("count the nodes on the engine: %w", err)
	}
	count := s.shape.ControlPlanes + s.shape.Workers + len(others)
	if count*nodeInstances > allowed {
		s.console.Warn(fmt.Sprintf("%d kind nodes will run here, which need more than the %d inotify instances that this machine allows a user; "+
			"should one fail with \"too many open files\": sudo sysctl fs.inotify.max_user_instances=512 fs.inotify.max_user_watches=524288",
			count, allowed))
	}
	return nil
}

// inotifyInstances is the machine's limit; 0 where there is none or it can't be read.
func inotifyInstances() int {
	raw, err := os.ReadFile(instancesPath)
	if err != nil {
		return 0
	}
	limit, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		return 0
	}
	return limit
}
