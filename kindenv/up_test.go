package kindenv_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
	"github.com/magekind/magekind/templates"
)

func TestUpFromNothing(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		env := w.environment()
		w.up(env)

		created := w.kind.Created()
		if len(created) != 1 || created[0].Name != "x" || created[0].Image != nodeImage {
			t.Fatalf("created %+v, want cluster x of %s", created, nodeImage)
		}
		own, err := os.ReadFile(env.Kubeconfig())
		if err != nil || !strings.Contains(string(own), w.api.URL) {
			t.Errorf("own kubeconfig: %v\n%s", err, own)
		}
		if info, err := os.Stat(env.Kubeconfig()); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("own kubeconfig has mode %v (%v), want 0600", info.Mode(), err)
		}
		if !strings.Contains(w.kubeconfig(), "current-context: kind-x") {
			t.Errorf("the user's kubeconfig has not got the context:\n%s", w.kubeconfig())
		}
		for _, call := range []string{"PrepareImages", "Start"} {
			if !w.provider.has(call) {
				t.Errorf("the cloud provider was not asked to %s", call)
			}
		}
		if got := w.Configured.ClusterName; got != "x" {
			t.Errorf("the cloud provider serves %q, want x", got)
		}
		for _, want := range []string{`Environment "x"`, "v1.37.2", "x-control-plane: running, Ready", "kind-x", env.Kubeconfig(), "running since today", "Ready after", "Starting cloud provider"} {
			if !strings.Contains(w.out.String(), want) {
				t.Errorf("the output has no %q:\n%s", want, w.out)
			}
		}
	})
}

func TestUpAgainChangesNothing(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		env := w.environment()
		w.up(env)
		before, kubeconfig, asked := w.nodes(), w.kubeconfig(), w.kind.Calls()
		w.up(w.environment())
		if after := w.nodes(); len(after) != 1 || after[0].ID != before[0].ID {
			t.Errorf("nodes are %v, were %v", after, before)
		}
		if got := w.kubeconfig(); got != kubeconfig {
			t.Errorf("the user's kubeconfig has changed:\n%s", got)
		}
		if strings.Contains(w.out.String(), "Waiting for another command") {
			t.Error("the first Up kept the lock")
		}
		if got := w.kind.Calls(); !slices.Equal(got, asked) {
			t.Errorf("kind was asked again: %q, before %q", got, asked)
		}
		for _, call := range w.engine.Calls() {
			for _, change := range []string{"Create", "Start", "Remove", "Stop", "Pull"} {
				if strings.HasPrefix(call, change) {
					t.Errorf("the engine was asked to %s", call)
				}
			}
		}
	})
}

func TestUpKeepsTheUsersCurrentContext(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.up(w.environment())
		changed := strings.Replace(w.kubeconfig(), "current-context: kind-x", "current-context: other", 1)
		if err := os.WriteFile(w.home+"/.kube/config", []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		w.up(w.environment())
		if got := w.kubeconfig(); got != changed {
			t.Errorf("the user's kubeconfig has changed:\n%s", got)
		}
	})
}

func TestUpWakesNodes(t *testing.T) {
	t.Parallel()
	for _, state := range []engine.State{engine.Exited, engine.Paused} {
		t.Run(string(state), func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.up(w.environment())
				before := w.nodes()
				if err := w.engine.SetState(before[0].ID, state); err != nil {
					t.Fatal(err)
				}
				w.up(w.environment())
				after := w.nodes()
				if len(after) != 1 || after[0].ID != before[0].ID || after[0].State != engine.Running {
					t.Errorf("nodes are %v, want %s running", after, before[0].ID)
				}
			})
		})
	}
}

func TestUpNamesTheNodeThatCannotStart(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.up(w.environment())
		if err := w.engine.SetState(w.nodes()[0].ID, engine.Exited); err != nil {
			t.Fatal(err)
		}
		w.engine.Fail("Start", 0, os.ErrPermission)
		wantError(t, w.environment().Up(t.Context()), "x-control-plane", "exited", "permission", "env:down")
	})
}

func TestUpWorksWhileKindDoes(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.engine.AddImage(app)
		w.kind.Creating = func(ctx context.Context, _ kind.CreateSpec) error {
			for len(w.kind.Archives()) == 0 || !w.provider.has("Start") || !slices.Contains(w.api.Asked(), "PATCH "+kindtest.PathCoreDNS) {
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(time.Millisecond):
				}
			}
			return nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		env := w.environment(func(cfg *kindenv.Config) { cfg.Images = []string{app} })
		if err := env.Up(ctx); err != nil {
			t.Fatalf("the cloud provider was not started, CoreDNS not hastened, or no image loaded: %v", err)
		}
		if n := len(w.kind.Archives()); n != 1 {
			t.Errorf("the image was loaded %d times, want once", n)
		}
	})
}

func TestUpTakesOverAClusterThatKindMade(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
		w.kind.SetUp(id)
		env := w.environment()
		w.up(env)
		if got := w.nodes(); len(got) != 1 || got[0].ID != id {
			t.Errorf("nodes are %v, want %s kept", got, id)
		}
		if _, err := os.Stat(env.Kubeconfig()); err != nil {
			t.Error(err)
		}
	})
}

func TestUpWithoutMergeOrCloudProvider(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		env := w.environment(func(cfg *kindenv.Config) {
			cfg.NoMerge, cfg.NoCloudProvider = true, true
			cfg.Kubeconfig = "own"
		})
		w.up(env)
		if got := w.kubeconfig(); got != "" {
			t.Errorf("the user's kubeconfig was written:\n%s", got)
		}
		if got, want := env.Kubeconfig(), w.project+"/own"; got != want {
			t.Errorf("Kubeconfig = %q, want %q", got, want)
		}
		if _, err := os.Stat(env.Kubeconfig()); err != nil {
			t.Error(err)
		}
		wantText(t, w.out.String(), "not configured")
		if len(w.provider.calls) > 0 {
			t.Errorf("the cloud provider was asked for %q", w.provider.calls)
		}
	})
}

func TestUpCreatesFromTheCluster(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.kind.Roles = []string{kind.RoleControlPlane, kind.RoleWorker}
		w.api.Answer("/api/v1/nodes", `{"items":[{"metadata":{"name":"x-control-plane"},"status":{"conditions":[{"type":"Ready","status":"True"}]}},
		{"metadata":{"name":"x-worker"},"status":{"conditions":[{"type":"Ready","status":"True"}]}}]}`)
		w.up(w.environment(func(cfg *kindenv.Config) { cfg.Cluster = templates.Cluster{Workers: 1} }))
		if got := string(w.kind.Created()[0].Config); !strings.Contains(got, "role: worker") {
			t.Errorf("the kind config has no worker:\n%s", got)
		}
	})
}
