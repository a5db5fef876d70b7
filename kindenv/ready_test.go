package kindenv_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

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
			inWorld(t, func(t *testing.T, w *world) {
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
			inWorld(t, func(t *testing.T, w *world) {
				w.api.Answer(kindtest.PathGatewayClass, "")
				w.api.Answer(kindtest.PathIngressClass, "")
				w.up(w.environment(func(cfg *kindenv.Config) { given(w, cfg) }))
			})
		})
	}
}

func TestUpWaitsForTheKubeletOfAStartedNode(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.up(w.environment())
		if err := w.engine.SetState(w.nodes()[0].ID, engine.Exited); err != nil {
			t.Fatal(err)
		}
		w.api.Answer(kindtest.PathLeases+"x-control-plane", `{"spec":{"renewTime":"1999-01-01T00:00:00.000000Z"}}`)
		err := w.environment(func(cfg *kindenv.Config) { cfg.Timeout = time.Second }).Up(t.Context())
		wantError(t, err, "node x-control-plane reporting", "before the node was started again", "describe node x-control-plane")
	})
}

func TestUpWaitsForThePodsOfAStartedNode(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.up(w.environment())
		if err := w.engine.SetState(w.nodes()[0].ID, engine.Exited); err != nil {
			t.Fatal(err)
		}
		w.api.Answer(kindtest.PathSystem+"/pods", `{"items":[{"metadata":{"name":"coredns-1"},"status":{
		"conditions":[{"type":"Ready","status":"True"}],"containerStatuses":[{"state":{"running":{"startedAt":"1999-01-01T00:00:00Z"}}}]}}]}`)
		err := w.environment(func(cfg *kindenv.Config) { cfg.Timeout = time.Second }).Up(t.Context())
		wantError(t, err, "pods of kube-system on node x-control-plane", "coredns-1", "get pods")
	})
}
