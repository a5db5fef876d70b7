package kindenv_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/lock"
)

const (
	awaitsNetwork   = `Waiting for the first cluster on network "kind"`
	networkVariable = "KIND_EXPERIMENTAL_DOCKER_NETWORK"
)

func (w *world) networks(name string) []string {
	w.t.Helper()
	ids, err := w.engine.NetworkIDs(context.WithoutCancel(w.t.Context()), name)
	if err != nil {
		w.t.Fatal(err)
	}
	return ids
}

func (w *world) wantNoLocks() {
	w.t.Helper()
	if left, err := filepath.Glob(filepath.Join(w.CacheDir, "locks")); err != nil || len(left) > 0 {
		entries, _ := os.ReadDir(left[0])
		w.t.Errorf("locks are left: %v", entries)
	}
}

// TestFirstClustersMakeOneNetwork has kind find no network in both creations
// before it makes one, if they get that far at once. The second goes on as soon
// as there is one, while the first still makes its cluster.
func TestFirstClustersMakeOneNetwork(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.engine.RemoveNetwork("kind")
		first, second := w.process(), w.process(named("y"))
		var looking atomic.Int32
		waits := func() bool { return strings.Contains(second.out.String(), awaitsNetwork) }
		w.kind.Networking = func(context.Context) error {
			looking.Add(1)
			until(t, func() bool { return looking.Load() == 2 || waits() })
			return nil
		}
		secondIsUp := make(chan struct{})
		w.kind.Creating = func(ctx context.Context, spec kind.CreateSpec) error {
			if spec.Name == "x" {
				<-secondIsUp
			}
			return nil
		}
		first.begin(t.Context(), first.Up)
		until(t, func() bool { return looking.Load() == 1 })
		second.begin(t.Context(), second.Up)
		second.succeeds()
		close(secondIsUp)
		first.succeeds()
		if got := w.networks("kind"); len(got) != 1 {
			t.Errorf("there are %d networks, want one", len(got))
		}
		if got := second.out.String(); !strings.Contains(got, awaitsNetwork) || !strings.Contains(got, "process ") {
			t.Errorf("the second did not say whom it waits for:\n%s", got)
		}
		w.wantNoLocks()
	})
}

func TestNetworkThatIsThereIsNotWaitedFor(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		held, err := lock.Acquire(t.Context(), w.environment().NetworkLock(host), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = held.Release() }()
		w.up(w.environment())
	})
}

func TestFirstClusterAfterOneThatFailed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.engine.RemoveNetwork("kind")
		w.kind.Networking = func(context.Context) error { return errors.New("pool overlaps") }
		wantError(t, w.environment().Up(t.Context()), "pool overlaps")
		w.wantNoLocks()
		w.kind.Networking = nil
		w.up(w.environment())
		w.wantNoLocks()
	})
}

func TestCancelledWhileWaitingForTheNetwork(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.engine.RemoveNetwork("kind")
		held, err := lock.Acquire(t.Context(), w.environment().NetworkLock(host), nil)
		if err != nil {
			t.Fatal(err)
		}
		waiting := w.process()
		ctx, cancel := context.WithCancel(t.Context())
		waiting.begin(ctx, waiting.Up)
		waiting.says(awaitsNetwork)
		cancel()
		if err := <-waiting.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Up = %v, want %v", err, context.Canceled)
		}
		if n := w.called("Create"); n > 0 {
			t.Error("it created a cluster")
		}
		if err := held.Release(); err != nil {
			t.Error(err)
		}
		w.wantNoLocks()
	})
}

func TestNetworksOfOneNameAreExplained(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"kind", "mine"} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				if name != "kind" {
					w.Env[networkVariable] = name
					w.engine.AddNetwork(name)
				}
				w.engine.AddNetwork(name)
				explained := []string{`2 networks are named "` + name + `"`, host, w.networks(name)[0][:12], w.networks(name)[1][:12], "docker network rm "}
				err := w.environment().Up(t.Context())
				wantError(t, err, explained...)
				if !errors.Is(err, cloudprovider.ErrAmbiguousNetwork) {
					t.Errorf("Up = %v, want %v", err, cloudprovider.ErrAmbiguousNetwork)
				}
				if n := w.called("Create"); n > 0 {
					t.Error("kind was asked to create a cluster")
				}
				status, err := w.environment().Status(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, part := range explained {
					if !strings.Contains(status.String(), part) {
						t.Errorf("the status has no %q:\n%s", part, status)
					}
				}
			})
		})
	}
}

func TestSecondNetworkIsNothingToAReadyCluster(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.up(w.environment())
		w.engine.AddNetwork("kind")
		for _, command := range []func(context.Context) error{w.environment().Up, w.environment().Down} {
			if err := command(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
}
