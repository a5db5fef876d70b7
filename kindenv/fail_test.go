package kindenv_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

func TestUpFailures(t *testing.T) {
	t.Parallel()
	const unknown = -1
	boom := errors.New("boom")
	tests := map[string]struct {
		given func(w *world)
		want  []string
		nodes int // that are left
	}{
		"no engine": {
			given: func(w *world) { w.World.Engine, w.EngineError = nil, engine.ErrUnavailable },
			want:  []string{engine.ErrUnavailable.Error()},
			nodes: unknown,
		},
		"the engine does not list": {
			given: func(w *world) { w.engine.Fail("List", 0, boom) },
			want:  []string{"nodes of cluster \"x\"", "boom"},
			nodes: unknown,
		},
		"no docker command": {
			given: func(w *world) { w.kind.Missing = boom },
			want:  []string{"boom"},
		},
		"kind fails": {
			given: func(w *world) {
				w.kind.Creating = func(context.Context, kind.CreateSpec) error { return boom }
			},
			want: []string{"boom"},
		},
		"no image for the cloud provider": {
			given: func(w *world) {
				w.provider.onPrepare = func(context.Context) error { return boom }
				w.kind.Creating = func(ctx context.Context, _ kind.CreateSpec) error {
					<-ctx.Done() // ended, since it would be of no use
					return ctx.Err()
				}
			},
			want: []string{"boom"},
		},
		"the cloud provider crashes": {
			given: func(w *world) { w.provider.onStart = func(context.Context) error { return boom } },
			want:  []string{"start the cloud provider", "boom"},
			nodes: 1,
		},
		"kind uses another engine": {
			given: func(w *world) { w.elsewhere() },
			want:  []string{"not on the engine at", host, "DOCKER_HOST"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				tt.given(w)
				err := w.environment().Up(t.Context())
				wantError(t, err, tt.want...)
				if strings.Contains(err.Error(), "context canceled") {
					t.Errorf("the error speaks of a consequence: %v", err)
				}
				if tt.nodes != unknown && len(w.nodes()) != tt.nodes {
					t.Errorf("nodes are %v, want %d", w.nodes(), tt.nodes)
				}
			})
		})
	}
}

// elsewhere makes kind create its nodes on another engine.
func (w *world) elsewhere() {
	other := newWorld(w.t)
	w.World.Driver = other.kind
}

func TestUpStopsTheCloudProviderOfAClusterThatFailed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		started := make(chan struct{})
		w.provider.onStart = func(context.Context) error {
			close(started)
			return nil
		}
		w.kind.Creating = func(context.Context, kind.CreateSpec) error {
			<-started // the API server answers already
			return errors.New("no CNI")
		}
		wantError(t, w.environment().Up(t.Context()), "no CNI")
		if w.provider.running {
			t.Error("the cloud provider still runs")
		}
	})
}

func TestUpDoesNotWaitForTheCloudProviderOfAClusterThatFailed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		starting := make(chan struct{})
		w.provider.onStart = func(ctx context.Context) error {
			close(starting)
			<-ctx.Done()
			return ctx.Err()
		}
		w.kind.Creating = func(context.Context, kind.CreateSpec) error {
			<-starting
			return errors.New("no CNI")
		}
		wantError(t, w.environment().Up(t.Context()), "no CNI")
		if !w.provider.has("Stop") {
			t.Error("the cloud provider was not stopped")
		}
	})
}

func TestEngineWithoutItsCommand(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.kind.Missing = errors.New("there is no nerdctl; install it")
		env := w.environment(func(cfg *kindenv.Config) { cfg.Runtime = "nerdctl" })
		wantError(t, env.Up(t.Context()), "there is no nerdctl; install it")
		wantError(t, env.Down(t.Context()), "there is no nerdctl; install it")
	})
}

func TestUpNamesTheConfigFileThatKindRefuses(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		path := w.write("kind.yaml", kindFile+"nodez: []\n")
		w.kind.Creating = func(context.Context, kind.CreateSpec) error { return errors.New("field nodez not found") }
		env := w.environment(func(cfg *kindenv.Config) { cfg.ConfigFile = "kind.yaml" })
		wantError(t, env.Up(t.Context()), "field nodez not found", "ConfigFile", path)
	})
}
