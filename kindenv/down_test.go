package kindenv_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

func TestDownRemovesEverythingOfItsOwn(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		env := w.environment()
		w.up(env)
		other := w.environment(func(cfg *kindenv.Config) { cfg.Name = "other" })
		w.up(other)
		foreign := w.engine.Put(engine.Container{Name: "foreign", Labels: map[string]string{kind.LabelCluster: ""}})

		if err := env.Down(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := w.nodes(); len(got) > 0 {
			t.Errorf("nodes are left: %v", got)
		}
		if w.provider.running {
			t.Error("the cloud provider still runs")
		}
		if _, err := os.Stat(filepath.Dir(env.Kubeconfig())); !os.IsNotExist(err) {
			t.Errorf("the environment's folder is left (%v)", err)
		}
		if got := w.kubeconfig(); strings.Contains(got, "kind-x") || !strings.Contains(got, "kind-other") {
			t.Errorf("the user's kubeconfig should have kind-other and not kind-x:\n%s", got)
		}
		if _, err := os.Stat(other.Kubeconfig()); err != nil {
			t.Error(err)
		}
		all, err := w.engine.List(t.Context(), nil)
		if err != nil || len(all) != 2 {
			t.Errorf("containers are %v (%v), want other's node and %s", all, err, foreign)
		}
	})
}

func TestDownOfNothing(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		for range 2 {
			if err := w.environment().Down(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := os.Stat(filepath.Join(w.home, ".kube")); !os.IsNotExist(err) {
			t.Errorf("a kubeconfig was made (%v)", err)
		}
	})
}

func TestDownFromWhateverState(t *testing.T) {
	t.Parallel()
	for _, state := range []engine.State{engine.Created, engine.Paused, engine.Exited, engine.Dead} {
		t.Run(string(state), func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				for _, role := range []string{kind.RoleControlPlane, kind.RoleWorker, kind.RoleLoadBalancer} {
					if err := w.engine.SetState(w.kind.PutNode("x", role, nodeImage), state); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.environment().Down(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := w.nodes(); len(got) > 0 {
					t.Errorf("nodes are left: %v", got)
				}
			})
		})
	}
}

func TestDownTriesBothHalves(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		env := w.environment()
		w.up(env)
		w.engine.Fail("Remove", 0, errors.New("device busy"))
		w.provider.onStop = func(context.Context) error { return errors.New("the controller hangs") }
		wantError(t, env.Down(t.Context()), "device busy", "the controller hangs", "still there", "x-control-plane (running)")
		if _, err := os.Stat(env.Kubeconfig()); err != nil {
			t.Errorf("the kubeconfig of a cluster that is there is gone: %v", err)
		}
	})
}

func TestDownNamesANodeWhoseRemovalDoesNotEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, state := range []engine.State{engine.Removing, engine.Dead} {
			p := newPair(t)
			in(worker, state)(p)
			p.engine.Fail("Remove", 0, engine.ErrConflict)
			wantError(t, p.environment().Down(t.Context()), `remove node "x-worker", which is `+string(state))
			wantError(t, p.environment().Up(t.Context()), `remove node "x-worker", which is `+string(state), "its removal has begun", "restart the engine")
		}
	})
}

func TestDownLooksAgain(t *testing.T) {
	t.Parallel()
	for name, labels := range map[string]map[string]string{
		"load balancer":  {cloudprovider.LabelCluster: "x"},
		"cloud provider": {cloudprovider.LabelOwner: "x"},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.engine.Put(engine.Container{Name: "leftover", Labels: labels})
				wantError(t, w.environment().Down(t.Context()), "still there", "leftover")
			})
		})
	}
}

func TestDownOnAnEngineWithoutCloudProvider(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.provider.onStop = func(context.Context) error { return cloudprovider.ErrUnsupported }
		w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
		if err := w.environment().Down(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestRunAlwaysBringsDown(t *testing.T) {
	t.Parallel()
	failed := errors.New("the test failed")
	tests := map[string]struct {
		do    func(ctx context.Context, cancel func()) error
		want  error
		dumps bool
	}{
		"passes": {do: func(context.Context, func()) error { return nil }},
		"fails":  {do: func(context.Context, func()) error { return failed }, want: failed, dumps: true},
		"interrupted": {do: func(ctx context.Context, cancel func()) error {
			cancel()
			return ctx.Err()
		}, want: context.Canceled, dumps: false}, // there are seconds, which Down needs
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				err := kindenv.RunIn(ctx, w.environment(), func(ctx context.Context, env *kindenv.Environment) error {
					if len(w.nodes()) != 1 {
						t.Error("there is no cluster")
					}
					return tt.do(ctx, cancel)
				})
				if !errors.Is(err, tt.want) {
					t.Errorf("Run = %v, want %v", err, tt.want)
				}
				if got := w.nodes(); len(got) > 0 {
					t.Errorf("nodes are left: %v", got)
				}
				if got := strings.Contains(w.out.String(), "Environment \"x\" failed"); got != tt.dumps {
					t.Errorf("explained: %v, want %v", got, tt.dumps)
				}
			})
		})
	}
}

func TestRunBringsDownAfterAPanic(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic is gone")
				}
			}()
			_ = kindenv.RunIn(t.Context(), w.environment(), func(context.Context, *kindenv.Environment) error { panic("boom") })
		}()
		if got := w.nodes(); len(got) > 0 {
			t.Errorf("nodes are left: %v", got)
		}
	})
}
