package kindenv_test

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

// balancer is the load balancer of Service default/hello, at an address unless it does not run.
func balancer(state engine.State, address string) cloudprovider.LoadBalancer {
	b := cloudprovider.LoadBalancer{Kind: "Service", Namespace: "default", Name: "hello", State: state}
	if address != "" {
		b.Addresses = []netip.Addr{netip.MustParseAddr(address)}
	}
	return b
}

// published is balancer with a port on the engine's host.
func published(address string) cloudprovider.LoadBalancer {
	b := balancer(engine.Running, address)
	b.Ports = []engine.Port{{Host: netip.MustParseAddrPort("0.0.0.0:32768"), ContainerPort: 80, Protocol: "tcp"}}
	return b
}

// lost are the ways in which a load balancer may not be where its Service says
// that it is, at 172.18.0.9, with what is said of it.
func lost() map[string][]cloudprovider.LoadBalancer {
	return map[string][]cloudprovider.LoadBalancer{
		"the load balancer of Service default/hello is gone":                                       nil,
		"the load balancer of Service default/hello is exited":                                     {balancer(engine.Exited, "")},
		"the load balancer of Service default/hello is no longer at 172.18.0.9, but at 172.18.0.4": {balancer(engine.Running, "172.18.0.4")},
	}
}

func TestUpMendsLoadBalancers(t *testing.T) {
	t.Parallel()
	for says, balancers := range lost() {
		t.Run(says, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.Patience = 300 * time.Millisecond
				w.api.Answer(kindtest.PathServices, kindtest.List(kindtest.Balancer("default", "hello", "172.18.0.9")))
				w.provider.balancers = balancers
				w.provider.onRenew = func(context.Context) error {
					w.provider.balancers = []cloudprovider.LoadBalancer{balancer(engine.Running, "172.18.0.9")}
					return nil
				}
				w.up(w.environment())
				if !w.provider.has("Renew") || strings.Contains(w.out.String(), "WARNING") {
					t.Errorf("the cloud provider was not renewed, or there was trouble:\n%s", w.out)
				}
			})
		})
	}
}

func TestStatusTellsOfLostLoadBalancers(t *testing.T) {
	t.Parallel()
	for says, balancers := range lost() {
		t.Run(says, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.up(w.environment())
				w.api.Answer(kindtest.PathServices, kindtest.List(kindtest.Balancer("default", "hello", "172.18.0.9")))
				w.provider.balancers = balancers
				wantText(t, strings.Join(w.status().Warnings, "\n"), says+": env:up mends it")
				if w.provider.has("Renew") {
					t.Error("a status changed something")
				}
			})
		})
	}
}

// TestStatusWithoutServices: while the API server does not answer, and for
// what is no Service's, the containers tell.
func TestStatusWithoutServices(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.up(w.environment())
		w.provider.balancers = []cloudprovider.LoadBalancer{
			balancer(engine.Exited, ""), {Kind: "Gateway", Namespace: "web", Name: "gw", State: engine.Exited},
		}
		wantText(t, strings.Join(w.status().Warnings, "\n"), "Gateway web/gw is exited: env:up")
		w.api.Answer(kindtest.PathReady, kindtest.Broken)
		wantText(t, strings.Join(w.status().Warnings, "\n"), "Gateway web/gw is exited: env:up", "Service default/hello is exited: env:up")
	})
}

// TestLoadBalancersThatAreLeftAlone are in order, or somebody else's business.
func TestLoadBalancersThatAreLeftAlone(t *testing.T) {
	t.Parallel()
	const ofClass = `{"metadata":{"namespace":"default","name":"hello"},"spec":{"type":"LoadBalancer","loadBalancerClass":"other"},
		"status":{"loadBalancer":{"ingress":[{"ip":"172.18.0.9"}]}}}`
	for name, c := range map[string]struct {
		service   string
		balancers []cloudprovider.LoadBalancer
	}{
		"in order":                     {kindtest.Balancer("default", "hello", "172.18.0.9"), []cloudprovider.LoadBalancer{balancer(engine.Running, "172.18.0.9")}},
		"of a class":                   {ofClass, nil},
		"at the host's address":        {kindtest.Balancer("default", "hello", "127.0.0.1"), []cloudprovider.LoadBalancer{published("172.18.0.9")}},
		"pending, without manifests":   {kindtest.Balancer("default", "hello", ""), nil},
		"running, its address unknown": {kindtest.Balancer("default", "hello", "172.18.0.9"), []cloudprovider.LoadBalancer{balancer(engine.Running, "")}},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.api.Answer(kindtest.PathServices, kindtest.List(c.service))
				w.provider.balancers = c.balancers
				w.up(w.environment())
				if w.provider.has("Renew") || strings.Contains(w.out.String(), "load balancers 🌐") {
					t.Errorf("something was done about it:\n%s", w.out)
				}
				if got := w.status().Warnings; len(got) > 0 {
					t.Errorf("warnings %q", got)
				}
			})
		})
	}
}

func TestLoadBalancersThatCannotBeMended(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.Patience = 30 * time.Millisecond
		w.api.Answer(kindtest.PathServices, kindtest.List(kindtest.Balancer("default", "hello", "172.18.0.9")))
		w.up(w.environment())
		wantText(t, w.out.String(), "WARNING", "Service default/hello is gone", "env:logs")
		none := w.environment(func(cfg *kindenv.Config) { cfg.NoCloudProvider = true })
		before := w.out.String()
		w.up(none)
		if said := strings.TrimPrefix(w.out.String(), before); strings.Contains(said, "WARNING") {
			t.Errorf("without a cloud provider it warned:\n%s", said)
		}
	})
}
