package kindenv_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

// street is an engine in memory with eight projects on it, in virtual time,
// and one kubeconfig for all of them. It has no network for clusters at first.
type street struct {
	*estate
	seed uint64

	commands, doubled, faults, interrupts, failed atomic.Int64
}

// somebodys is an entry in the user's kubeconfig that nobody here has made.
const somebodys = `apiVersion: v1
kind: Config
clusters:
- name: work
  cluster: {server: "https://work.example"}
contexts:
- name: work
  context: {cluster: work, user: me}
users:
- name: me
  user: {token: t0ken}
current-context: work
`

func newStreet(t *testing.T) *street {
	t.Helper()
	e := emptyEstate(t)
	e.engine.RemoveNetwork("kind")
	// names that are parts of each other's
	for i, name := range []string{"x", "x-2", "x-2-y", "xx", "x.y", "y", "y-x", "z-cloud-provider"} {
		e.settle(name, uint16(i+1))
		e.tenants[name].api.Answer(kindtest.PathNodes, kindtest.List(kindtest.Node(name+"-control-plane", true)))
	}
	if err := os.MkdirAll(filepath.Join(e.home, ".kube"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(e.home, ".kube", "config"), []byte(somebodys), 0o600); err != nil {
		t.Fatal(err)
	}
	return &street{estate: e, seed: uint64(number(streetSeedEnv, int(rand.Int32())))}
}

// enter returns a project's environment in a process of its own.
func (s *street) enter(name string, faults *enginetest.Faults, out *output) (*kindenv.Environment, error) {
	there := s.tenants[name]
	cfg := kindenv.Config{Name: name, Dir: s.project, NodeImage: nodeImage, Out: out, CloudProvider: cloudprovider.DefaultConfig()}
	cfg.CloudProvider.Image = providerImage
	return kindenv.NewIn(&kindenv.World{
		Engine: faults.Around(s.engine), Driver: kindtest.Around(faults, there.kind), Dial: there.api.Dial,
		CacheDir: filepath.Join(s.home, "cache"), Patience: time.Minute,
		Env: map[string]string{"HOME": s.home, "DOCKER_HOST": host},
	}, cfg)
}

// undisturbed returns an error about what has changed since the last command.
func (r *resident) undisturbed() error {
	if r.left == nil {
		return nil
	}
	now, err := r.look()
	err = errors.Join(err,
		differences("container", r.left.containers, now.containers),
		differences("file", r.left.files, now.files),
		differences("entry", r.left.entries, now.entries))
	if err != nil {
		return fmt.Errorf("while it did nothing: %w", err)
	}
	return nil
}

// check returns an error unless the project is up or down, and remembers what there is of it.
func (r *resident) check(up bool) error {
	now, err := r.look()
	if err != nil {
		return err
	}
	r.left = now
	names := slices.Sorted(maps.Keys(now.containers))
	if !up {
		if len(names)+len(now.files)+len(now.entries) > 0 {
			return fmt.Errorf("down leaves containers %q, files %q, entries %v", names, slices.Collect(maps.Keys(now.files)), now.entries)
		}
		return nil
	}
	env, _ := r.environment(kindtest.NewFaults())
	status, err := env.Status(context.WithoutCancel(r.t.Context()))
	switch {
	case err != nil || status.API != "ready" || !status.Serves || !status.Merged:
		return fmt.Errorf("the status after up: %v\n%s", err, status)
	case !slices.Equal(names, r.names()):
		return fmt.Errorf("containers after up: %q, want %q", names, r.names())
	case len(now.entries) != 3 || len(now.files) != 2:
		return fmt.Errorf("after up there are files %q, entries %v", slices.Collect(maps.Keys(now.files)), now.entries)
	}
	return nil
}

// empty returns an error about whatever there is that was not there at first.
func (s *street) empty() error {
	var errs []error
	for _, c := range s.containers() {
		errs = append(errs, fmt.Errorf("container %s is left", c.Name))
	}
	if ids, err := s.engine.NetworkIDs(context.WithoutCancel(s.t.Context()), "kind"); err != nil || len(ids) != 1 {
		errs = append(errs, fmt.Errorf("there are %d networks (%w), want one", len(ids), err))
	}
	kept, err := filepath.Glob(filepath.Join(s.home, "cache", "*"))
	for _, path := range kept {
		if !strings.HasPrefix(filepath.Base(path), cachedAnswer) {
			errs = append(errs, fmt.Errorf("%s is left", path))
		}
	}
	inKube, globErr := filepath.Glob(filepath.Join(s.home, ".kube", "*"))
	if len(inKube) != 1 {
		errs = append(errs, fmt.Errorf("beside the kubeconfig there is more: %q", inKube))
	}
	if got := len(s.entries("work")) + len(s.entries("me")); got != 3 {
		errs = append(errs, fmt.Errorf("%d of somebody's three entries are left", got))
	}
	return errors.Join(append(errs, err, globErr)...)
}
