package kindenv

import (
	"context"
	"fmt"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

const (
	adminConf = "/etc/kubernetes/admin.conf"
	// etcdManifest is written after admin.conf: etcd, and with it all that a
	// cluster holds, begins with it.
	etcdManifest = "/etc/kubernetes/manifests/etcd.yaml"
)

// traces are what kubeadm has left in a control plane.
type traces struct {
	admin  bool // an administrator's kubeconfig that can be used
	beyond bool // what comes after it
}

// traces looks into a control plane that runs.
func (s *session) traces(ctx context.Context, id string) (traces, error) {
	out, code, err := s.inside(ctx, id, "cat "+adminConf+" 2>/dev/null; test -e "+etcdManifest)
	if err != nil {
		return traces{}, err
	}
	_, bad := kubeconfig.Parse([]byte(out))
	return traces{admin: bad == nil, beyond: code == 0}, nil
}

// restoreAdmin has kubeadm write the administrator's kubeconfig again, which
// somebody has removed or damaged: the certificate authority for it is in the node.
func (s *session) restoreAdmin(ctx context.Context, id string) error {
	s.console.Warn(fmt.Sprintf("Cluster %q has lost %s: making it again", s.name, adminConf))
	out, code, err := s.inside(ctx, id, "rm -f "+adminConf+" && kubeadm init phase kubeconfig admin --config /kind/kubeadm.conf 2>&1")
	if err == nil && code != 0 {
		err = fmt.Errorf("kubeadm ended with code %d: %s", code, strings.TrimSpace(out))
	}
	if err != nil {
		return fmt.Errorf("make %s of cluster %q again: %w; env:down and env:up make a new cluster", adminConf, s.name, err)
	}
	return nil
}

// keepAdmin restores the administrator's kubeconfig in the control plane if it
// was lost. Who has a copy does not miss it, but kind and the cloud provider read it there.
func (s *session) keepAdmin(ctx context.Context) error {
	if s.made || s.memory.Control == "" {
		return nil
	}
	traces, err := s.traces(ctx, s.memory.Control)
	if err != nil || traces.admin || !traces.beyond {
		return nil //nolint:nilerr // who needs the file says what is wrong
	}
	return s.restoreAdmin(ctx, s.memory.Control)
}

// inside runs a shell script in a node.
func (s *session) inside(ctx context.Context, id, script string) (out string, code int, err error) {
	execer, ok := s.eng.(engine.Execer)
	if !ok {
		return "", 0, fmt.Errorf("%w: run a command in a node", engine.ErrUnsupported)
	}
	var written strings.Builder
	code, err = execer.Exec(ctx, id, []string{"sh", "-c", script}, &written)
	return written.String(), code, err
}
