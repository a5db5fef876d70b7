package kindenv_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
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
			t.Parallel()
			w := newWorld(t)
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
	}
}

// elsewhere makes kind create its nodes on another engine.
func (w *world) elsewhere() {
	other := newWorld(w.t)
	w.World.Driver = other.kind
}

func TestUpStopsTheCloudProviderOfAClusterThatFailed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
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
}

func TestUpDoesNotWaitForTheCloudProviderOfAClusterThatFailed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
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
}

func TestUpSaysWhatIsNotReady(t *testing.T) {
	t.Parallel()
	const patience = 3 * time.Second // enough to see the fault, on a busy machine too
	tests := map[string]struct {
		given func(w *world)
		want  []string
	}{
		"API server": {
			given: func(w *world) { w.api.Answer(kindtest.PathReady, kindtest.Broken) },
			want:  []string{"API server ready", "etcd is on fire", "kubectl --context kind-x get --raw /readyz?verbose"},
		},
		"node": {
			given: func(w *world) {
				w.api.Answer(kindtest.PathNodes, kindtest.List(kindtest.Node("x-control-plane", false)))
			},
			want: []string{"nodes ready", "0 of 1", "cni plugin not initialized", "kubectl --context kind-x describe nodes"},
		},
		"CoreDNS": {
			given: func(w *world) { w.api.Answer(kindtest.PathCoreDNS, "") },
			want:  []string{"CoreDNS available", "describe deployment"},
		},
		"ServiceAccount": {
			given: func(w *world) { w.api.Answer(kindtest.PathServiceAccount, "") },
			want:  []string{"default ServiceAccount"},
		},
		"cloud provider": {
			given: func(w *world) { w.provider.attached = errors.New("it serves nobody") },
			want:  []string{"cloud provider attached", "it serves nobody", "env:logs"},
		},
		"GatewayClass": {
			given: func(w *world) { w.api.Answer(kindtest.PathGatewayClass, "") },
			want:  []string{"GatewayClass", "cloud-provider-kind"},
		},
		"IngressClass": {
			given: func(w *world) { w.api.Answer(kindtest.PathIngressClass, "") },
			want:  []string{"IngressClass"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.up(w.environment())
			tt.given(w)
			env := w.environment(func(cfg *kindenv.Config) { cfg.Timeout = patience })
			err := env.Up(t.Context())
			wantError(t, err, append(tt.want, "not ready after "+patience.String())...)
			if got := strings.Count(err.Error(), "look further"); got != 1 {
				t.Errorf("the error tells of %d conditions, want 1:\n%v", got, err)
			}
			if len(w.nodes()) != 1 {
				t.Error("the cluster is gone")
			}
		})
	}
}

func TestUpWithoutGateways(t *testing.T) {
	t.Parallel()
	for name, given := range map[string]func(*world, *kindenv.Config){
		"disabled": func(_ *world, cfg *kindenv.Config) {
			cfg.CloudProvider = cloudprovider.DefaultConfig()
			cfg.CloudProvider.GatewayChannel = "disabled"
		},
		"old Kubernetes": func(w *world, _ *kindenv.Config) {
			w.api.Answer(kindtest.PathVersion, `{"gitVersion":"v1.32.1"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.api.Answer(kindtest.PathGatewayClass, "")
			w.api.Answer(kindtest.PathIngressClass, "")
			w.up(w.environment(func(cfg *kindenv.Config) { given(w, cfg) }))
		})
	}
}
