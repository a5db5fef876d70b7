package kindenv

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/redact"
	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// Down removes the environment: the cluster's nodes with their volumes, the
// cloud provider, the load balancers, the kubeconfig and its entries in the
// user's. It starts from what is on the engine, whatever state that is in and
// whoever made it, tries everything also when something fails, and looks again
// at the end. What no longer exists is no error. Images stay, and the network
// that all kind clusters share.
func (e *Environment) Down(ctx context.Context) error {
	return redact.Error(e.exclusively(ctx, func(ctx context.Context, s *session) error { return s.down(ctx) }))
}

func (s *session) down(ctx context.Context) error {
	title := fmt.Sprintf("Removing environment %q 🧹", s.name)
	return s.step(ctx, title, func(ctx context.Context, _ *progress.Step) error {
		var deletion error
		err := separately(
			func() error {
				deletion = s.deleteCluster(ctx)
				return deletion
			},
			func() error { return s.stopProvider(ctx) },
		)
		left, look := s.leftovers(ctx)
		if err == nil || ctx.Err() == nil { // else it says the same once more
			err = errors.Join(err, look, stillThere(s.name, left))
		}
		if deletion != nil || left.control() != "" {
			return err
		}
		// what leads to a cluster that is gone has to go, whatever else is left
		ctx, cancel := undoing(ctx)
		defer cancel()
		return errors.Join(err, s.forget(ctx))
	})
}

func (s *session) deleteCluster(ctx context.Context) error {
	if err := s.awaitMade(ctx); err != nil {
		return err
	}
	all, err := s.containers(ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	// Should this be cut off, the next env:up is not to rely on a node that is
	// about to go. Without room to remember that, it goes all the same.
	_ = s.memory.removing(all.control())
	return s.removeNodes(ctx, all)
}

// stopProvider also removes a cloud provider that the configuration no longer asks for.
func (s *session) stopProvider(ctx context.Context) error {
	err := s.provider.Stop(ctx)
	if errors.Is(err, cloudprovider.ErrUnsupported) {
		return nil
	}
	return err
}

// leftovers looks for what is still on the engine.
func (s *session) leftovers(ctx context.Context) (nodes, error) {
	all, err := s.everything(ctx)
	if err != nil {
		return all, err
	}
	return withoutRemoving(all), nil
}

// everything is all containers that belong to the environment; with an error, those that were found before it.
func (s *session) everything(ctx context.Context) (nodes, error) {
	all, err := s.containers(ctx)
	if err != nil {
		return nil, err
	}
	if _, ok := s.eng.(mute); ok {
		return all, nil
	}
	for _, label := range []string{cloudprovider.LabelCluster, cloudprovider.LabelOwner} {
		found, err := s.eng.List(ctx, map[string]string{label: s.name})
		if err != nil {
			return all, fmt.Errorf("look for what is left of environment %q: %w", s.name, err)
		}
		all = append(all, found...)
	}
	return all, nil
}

// stillThere is the error about what is left of an environment, if there is anything.
func stillThere(name string, left nodes) error {
	if len(left) == 0 {
		return nil
	}
	return fmt.Errorf("still there of environment %q: %s; try env:down again", name, left.names())
}

// withoutRemoving leaves out what the engine is about to remove.
func withoutRemoving(all nodes) nodes {
	var stay nodes
	for _, container := range all {
		if container.State != engine.Removing {
			stay = append(stay, container)
		}
	}
	return stay
}

// forget removes the kubeconfig, its entries in the user's, and what this
// machine remembers. What can't be taken out of the user's is remembered.
func (s *session) forget(ctx context.Context) error {
	raw, _ := os.ReadFile(s.Kubeconfig()) // an entry is ours when it has the same server
	return s.forgetFiles(s.unmerge(ctx, raw))
}

// forgetFiles removes this machine's own files about the environment; left is
// why the user's kubeconfig still has something of it.
func (s *session) forgetFiles(left error) error {
	s.sweepScratch()
	kubeconfig.Sweep(s.Kubeconfig())
	kubeconfig.Sweep(s.memory.path)
	return errors.Join(
		left,
		gone(s.Kubeconfig()),
		s.memory.forget(left != nil),
		goneIfEmpty(s.folder()),
		goneIfEmpty(filepath.Dir(s.folder())),
	)
}

func gone(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// goneIfEmpty removes a folder unless there is something in it.
func goneIfEmpty(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
