package kindenv_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

func TestUpMakesHalfCreatedClustersAnew(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		leave func(t *testing.T, w *world) (id string) // what the interrupted creation left
		want  string
	}{
		"kubeadm had not finished": {
			leave: func(_ *testing.T, w *world) string { return w.kind.PutNode("x", kind.RoleControlPlane, nodeImage) },
			want:  "kubeadm has not finished",
		},
		"the node never started": {
			leave: func(t *testing.T, w *world) string {
				id := w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
				if err := w.engine.SetState(id, engine.Created); err != nil {
					t.Fatal(err)
				}
				return id
			},
			want: "x-control-plane was never started",
		},
		"there is a worker alone": {
			leave: func(_ *testing.T, w *world) string { return w.kind.PutNode("x", kind.RoleWorker, nodeImage) },
			want:  "no control plane",
		},
		"killed after kubeadm, before the rest": {
			leave: func(t *testing.T, w *world) string {
				rememberCreating(t, w)
				id := w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
				w.kind.SetUp(id)
				w.kind.OnKubectl = func([]string, string) (string, error) { return "node/x-control-plane\n", nil }
				return id
			},
			want: "interrupted",
		},
		"killed before a worker had joined": {
			leave: func(t *testing.T, w *world) string {
				rememberCreating(t, w)
				id := w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
				w.kind.SetUp(id)
				w.kind.PutNode("x", kind.RoleWorker, nodeImage)
				w.kind.OnKubectl = func([]string, string) (string, error) {
					return "storageclass.storage.k8s.io/standard\nnode/x-control-plane\n", nil
				}
				return id
			},
			want: "before all nodes were set up",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				old := tt.leave(t, w)
				w.up(w.environment())
				after := w.nodes()
				if len(after) != 1 || after[0].ID == old {
					t.Errorf("nodes are %v, want a new one in place of %s", after, old)
				}
				if got := w.out.String(); !strings.Contains(got, "half-created") || !strings.Contains(got, tt.want) {
					t.Errorf("the output does not say that it was half-created, because %q:\n%s", tt.want, got)
				}
			})
		})
	}
}

// rememberCreating leaves the memory of a process that was killed while it created the cluster.
func rememberCreating(t *testing.T, w *world) {
	t.Helper()
	rememberText(t, w, `{"creating": true}`)
}

func rememberText(t *testing.T, w *world, memory string) {
	t.Helper()
	path := w.environment().MemoryFile()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(memory), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestUpKeepsAClusterWhoseInterruptedCreationWasComplete(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		rememberCreating(t, w)
		id := w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
		w.kind.SetUp(id)
		w.kind.OnKubectl = func([]string, string) (string, error) {
			return "storageclass.storage.k8s.io/standard\nnode/x-control-plane\n", nil
		}
		w.up(w.environment())
		if got := w.nodes(); len(got) != 1 || got[0].ID != id {
			t.Errorf("nodes are %v, want %s kept", got, id)
		}
		if raw, err := os.ReadFile(w.environment().MemoryFile()); err != nil || strings.Contains(string(raw), `"creating"`) {
			t.Errorf("the memory still speaks of a creation (%v):\n%s", err, raw)
		}
	})
}

func TestUpDoesNotJudgeAnInterruptedCreationThatItCannotAsk(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		rememberCreating(t, w)
		id := w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
		w.kind.SetUp(id)
		for _, method := range []string{"Kubectl", "Kubeconfig"} {
			w.kind.Fail(method, errors.New("the docker command has crashed"))
		}
		wantError(t, w.environment().Up(t.Context()), "docker command has crashed")
		if got := w.nodes(); len(got) != 1 || got[0].ID != id {
			t.Errorf("nodes are %v, want %s kept", got, id)
		}
	})
}

func TestUpGivesAnInterruptedCreationThatItStartsTimeToAnswer(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		rememberCreating(t, w)
		id := w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
		w.kind.SetUp(id)
		if err := w.engine.SetState(id, engine.Exited); err != nil {
			t.Fatal(err)
		}
		asked := 0
		w.kind.OnKubectl = func([]string, string) (string, error) {
			if asked++; asked < 3 {
				return "", errors.New("connection refused")
			}
			return "storageclass.storage.k8s.io/standard\nnode/x-control-plane\n", nil
		}
		w.up(w.environment())
		if got := w.nodes(); len(got) != 1 || got[0].ID != id {
			t.Errorf("nodes are %v, want %s kept", got, id)
		}
	})
}

func TestUpDoesNotRemoveWhatItCannotJudge(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
		w.kind.SetUp(id)
		w.kind.Fail("Kubeconfig", errors.New("the docker command has crashed"))
		wantError(t, w.environment().Up(t.Context()), "docker command has crashed")
		if got := w.nodes(); len(got) != 1 || got[0].ID != id {
			t.Errorf("nodes are %v, want %s kept", got, id)
		}
	})
}

func TestUpKeepsAClusterThatDoesNotAnswer(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
		w.kind.SetUp(id)
		w.api.Answer(kindtest.PathReady, kindtest.Broken)
		env := w.environment(func(cfg *kindenv.Config) { cfg.Timeout = 100 * time.Millisecond })
		wantError(t, env.Up(t.Context()), "does not answer", "gave up after 100ms", "env:down")
		if got := w.nodes(); len(got) != 1 || got[0].ID != id {
			t.Errorf("nodes are %v, want %s kept", got, id)
		}
	})
}

func TestUpCancelledWhileCreating(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx, cancel := context.WithCancel(t.Context())
		w.kind.Creating = func(ctx context.Context, _ kind.CreateSpec) error {
			cancel()
			<-ctx.Done()
			return ctx.Err()
		}
		if err := w.environment().Up(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("Up = %v, want %v", err, context.Canceled)
		}
		if got := w.nodes(); len(got) > 0 {
			t.Errorf("nodes are left: %v", got)
		}
		w.kind.Creating = nil
		w.up(w.environment())
	})
}
