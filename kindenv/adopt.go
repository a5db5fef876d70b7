package kindenv

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// halfCreated is the error about a cluster whose creation, or removal, was cut off.
type halfCreated struct {
	because string
	removal bool // is what was cut off
}

func (h *halfCreated) Error() string {
	if h.removal {
		return fmt.Sprintf("half-removed (%s)", h.because)
	}
	return fmt.Sprintf("half-created (%s)", h.because)
}

// adopt makes the cluster that is there usable: its nodes run, and there is a
// kubeconfig. The error is a halfCreated if it was never finished.
func (s *session) adopt(ctx context.Context, all nodes) (nodes, error) {
	s.finished = s.memory.finished(all.control())
	s.memory.about(all.control())
	if because := all.brokenOff(s.memory.Creating); because != "" {
		return nil, &halfCreated{because: because}
	}
	if s.memory.Removing {
		return nil, &halfCreated{because: "an env:down was interrupted", removal: true}
	}
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

// brokenOff says what of the nodes only a creation or a removal leaves that was
// cut off, or nothing. Without a control plane there is no cluster, and one
// that never ran has never had anything in it. A worker that never ran says as
// much only of a cluster whose creation is known not to have ended.
func (n nodes) brokenOff(creating bool) string {
	planes := n.with(kind.RoleControlPlane)
	if len(planes) == 0 {
		return fmt.Sprintf("there is no control plane among %s: its creation or its removal was cut off", n.names())
	}
	never := n.neverStarted()
	if len(never.with(kind.RoleControlPlane)) == len(planes) || creating && len(never) > 0 {
		return fmt.Sprintf("node %s was never started", never[0].Name)
	}
	return ""
}

func (n nodes) neverStarted() nodes {
	var never nodes
	for _, node := range n {
		if node.State == engine.Created {
			never = append(never, node)
		}
	}
	return never
}

// wakeBudget is how long the API server of a control plane that was started
// again may take before its silence says something.
const wakeBudget = time.Minute

// checkComplete tells whether kind had done all its work when its creation was cut
// off: the StorageClass comes last but for the other nodes' joining.
func (s *session) checkComplete(ctx context.Context, all nodes) error {
	var out []byte
	ask := func(ctx context.Context) (err error) {
		out, err = s.kubectl(ctx, nil, "get", "storageclasses,nodes", "-o", "name", "--request-timeout=5s")
		return err
	}
	err := ask(ctx)
	if err != nil && len(s.started) > 0 {
		err = retry.Until(ctx, wakeBudget, ask)
	}
	if err != nil {
		if _, unknown := s.readKubeconfig(ctx); unknown != nil && !errors.Is(unknown, kind.ErrNotSetUp) {
			return errors.Join(err, unknown) // it can't be asked at all, which says nothing about it
		}
		return &halfCreated{because: "its creation was interrupted"}
	}
	text := "\n" + string(out)
	if strings.Count(text, "\nstorageclass") == 0 || strings.Count(text, "\nnode/") < all.kubernetes() {
		return &halfCreated{because: "its creation was interrupted before all nodes were set up"}
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
	if err != nil {
		if err := s.judge(ctx, all, err); err != nil {
			return err
		}
		if raw, err = s.readKubeconfig(ctx); err != nil {
			return err
		}
	}
	if err := s.use(raw); err != nil {
		return err
	}
	if err := s.greet(ctx, all); err != nil {
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

// judge is for a cluster whose kubeconfig can't be read, because of cause. It
// restores one that was lost; the error is a halfCreated if there never was one.
func (s *session) judge(ctx context.Context, all nodes, cause error) error {
	traces, err := s.traces(ctx, all.control())
	unfinished := errors.Is(cause, kind.ErrNotSetUp)
	switch {
	case unfinished && (errors.Is(err, engine.ErrUnsupported) || err == nil && !traces.beyond && !s.finished):
		return &halfCreated{because: "kubeadm has not finished in its control plane"}
	case err != nil:
		return errors.Join(cause, err)
	case traces.beyond && !traces.admin:
		return s.restoreAdmin(ctx, all.control())
	}
	return fmt.Errorf("%w; cluster %q is kept: look further with env:logs, or remove it with env:down", cause, s.name)
}

// greet waits for the API server of a cluster that came without our kubeconfig.
// One that does not answer is kept: nothing says that its creation was cut off,
// and there may be work in it.
func (s *session) greet(ctx context.Context, all nodes) error {
	step := s.console.Step("Looking at the cluster that is there 🔎")
	watched, stop := s.watch(ctx, all)
	defer stop()
	err := retry.Until(watched, s.cfg.Timeout, s.api.Readyz)
	step.Done(err)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("cluster %q is there, but its API server does not answer: %w; it is kept: look further with env:logs, or remove it with env:down", s.name, err)
	}
	return err
}
