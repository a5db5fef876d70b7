package kindenv

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// halfCreated is the error about a cluster whose creation was cut off.
type halfCreated struct{ because string }

func (h *halfCreated) Error() string { return "half-created: " + h.because }

// adopt makes the cluster that is there usable: its nodes run, and there is a
// kubeconfig. The error is a halfCreated if it was never finished.
func (s *session) adopt(ctx context.Context, all nodes) (nodes, error) {
	if err := brokenOff(all); err != nil {
		return nil, err
	}
	s.memory.about(all.control())
	all, err := s.wake(ctx, all)
	if err != nil {
		return nil, err
	}
	if s.memory.Creating {
		if err := s.checkComplete(ctx, all); err != nil {
			return nil, err
		}
		s.memory.Creating, s.memory.Loaded = false, nil
		if err := s.memory.keep(); err != nil {
			return nil, err
		}
	}
	return all, s.access(ctx, all)
}

// brokenOff looks for what only an interrupted creation leaves.
func brokenOff(all nodes) error {
	if all.control() == "" {
		return &halfCreated{"there is no control plane among " + all.names()}
	}
	for _, node := range all {
		switch node.State {
		case engine.Created, engine.Dead, engine.Removing:
			return &halfCreated{fmt.Sprintf("node %s is %s", node.Name, node.State)}
		}
	}
	return nil
}

// checkComplete tells whether kind had done all its work when its creation was cut
// off: the StorageClass comes last but for the other nodes' joining.
func (s *session) checkComplete(ctx context.Context, all nodes) error {
	out, err := s.kubectl(ctx, nil, "get", "storageclasses,nodes", "-o", "name", "--request-timeout=5s")
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return &halfCreated{"its creation was interrupted"}
	}
	text := "\n" + string(out)
	if strings.Count(text, "\nstorageclass") == 0 || strings.Count(text, "\nnode/") < all.kubernetes() {
		return &halfCreated{"its creation was interrupted before all nodes were set up"}
	}
	return nil
}

// access makes sure of a kubeconfig, and of a client for the API server.
func (s *session) access(ctx context.Context, all nodes) error {
	raw, ours := s.ownKubeconfig(all)
	if ours && s.use(raw) == nil {
		return s.merge(ctx, raw, false)
	}
	raw, err := s.readKubeconfig(ctx)
	if errors.Is(err, kind.ErrNotSetUp) {
		return &halfCreated{"kubeadm has not finished in its control plane"}
	}
	if err != nil {
		return err
	}
	if err := s.use(raw); err != nil {
		return err
	}
	if err := s.greet(ctx); err != nil {
		return err
	}
	return s.saveKubeconfig(ctx, raw)
}

func (s *session) readKubeconfig(ctx context.Context) ([]byte, error) {
	d, err := s.kind(ctx)
	if err != nil {
		return nil, err
	}
	return d.Kubeconfig(ctx, s.name)
}

// greet waits for the API server of a cluster that came without our kubeconfig.
// One that does not answer is kept: nothing says that its creation was cut off,
// and there may be work in it.
func (s *session) greet(ctx context.Context) error {
	step := s.console.Step("Looking at the cluster that is there 🔎")
	err := retry.Until(ctx, s.cfg.Timeout, s.api.Readyz)
	step.Done(err)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("cluster %q is there, but its API server does not answer: %w; it is kept: look further with env:logs, or remove it with env:down", s.name, err)
	}
	return err
}
