package kindenv

import (
	"context"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kubeapi"
	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

// use makes the client for a kubeconfig.
func (s *session) use(raw []byte) error {
	access, err := kubeconfig.Parse(raw)
	if err != nil {
		return err
	}
	client, err := kubeapi.New(access, s.deps.dial)
	if err != nil {
		return err
	}
	s.api = client
	return nil
}

// ownKubeconfig reads the environment's own kubeconfig, and says whether it is
// this cluster's: it names the port that the engine publishes, and is younger
// than the control plane.
func (s *session) ownKubeconfig(all nodes) (raw []byte, ours bool) {
	path := s.Kubeconfig()
	info, err := os.Stat(path)
	if err != nil {
		return nil, false
	}
	raw, err = os.ReadFile(path)
	if err != nil {
		return nil, false
	}
	access, err := kubeconfig.Parse(raw)
	if err != nil || !all.serve(access.Server) || all.youngerThan(info.ModTime()) {
		return nil, false
	}
	return raw, true
}

// serve says whether server is at the port where the nodes publish theirs. It
// can't be told on engines that don't tell ports.
func (n nodes) serve(server string) bool {
	at, known := n.apiServer()
	if !known {
		return true
	}
	u, err := url.Parse(server)
	return err == nil && u.Port() == strconv.Itoa(int(at.Port()))
}

// clockGrain is how much the times of a file system and of an engine may differ
// for the same moment. It takes longer to make a cluster.
const clockGrain = time.Second

func (n nodes) youngerThan(moment time.Time) bool {
	for _, node := range n {
		if node.CreatedAt.After(moment.Add(clockGrain)) {
			return true
		}
	}
	return false
}

// saveKubeconfig writes the own kubeconfig and merges it into the user's.
func (s *session) saveKubeconfig(ctx context.Context, raw []byte) error {
	if err := kubeconfig.Write(s.Kubeconfig(), raw); err != nil {
		return err
	}
	if err := s.memory.keep(); err != nil { // what follows may fail on a file that is not ours
		return err
	}
	return s.merge(ctx, raw, true)
}
