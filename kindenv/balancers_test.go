package kindenv_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

func TestUpWaitsForLoadBalancers(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.Patience = 100 * time.Millisecond
		w.write("app.yaml", service)
		w.api.Answer(kindtest.PathServices, kindtest.List(kindtest.Balancer("default", "hello", "")))
		w.up(w.environment(func(cfg *kindenv.Config) { cfg.Manifests = []string{"app.yaml"} }))
		if got := w.out.String(); !strings.Contains(got, "WARNING: ") || !strings.Contains(got, "no address yet for Service default/hello") {
			t.Errorf("the output does not warn of it:\n%s", got)
		}
	})
}

func TestUpDoesNotWaitForOthersLoadBalancers(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.Patience = time.Hour
		w.write("app.yaml", service)
		classed := strings.Replace(kindtest.Balancer("default", "hello", ""), `"spec":{`, `"spec":{"loadBalancerClass":"example.test/other",`, 1)
		w.api.Answer(kindtest.PathServices, kindtest.List(classed))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := w.environment(func(cfg *kindenv.Config) { cfg.Manifests = []string{"app.yaml"} }).Up(ctx); err != nil {
			t.Errorf("Up = %v, want no wait for a load balancer that the cloud provider leaves alone", err)
		}
	})
}

// withUID gives a Service an identity.
func withUID(uid, item string) string {
	return strings.Replace(item, `"metadata":{`, `"metadata":{"uid":"`+uid+`",`, 1)
}

// TestUpWaitsOnceForALoadBalancerThatNeverComes, and again when something has changed.
func TestUpWaitsOnceForALoadBalancerThatNeverComes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const waits = "Waiting for load balancers"
		w := newWorld(t)
		w.Patience = 100 * time.Millisecond
		w.write("app.yaml", service)
		provider := func(id string) {
			w.provider.status = &cloudprovider.Status{ID: id, State: engine.Running, Clusters: []string{"x"}}
		}
		services := func(items ...string) { w.api.Answer(kindtest.PathServices, kindtest.List(items...)) }
		hello := withUID("1", kindtest.Balancer("default", "hello", ""))
		provider("a")
		services(hello)
		for _, step := range []struct {
			name   string
			change func()
			waits  bool
			warns  bool
		}{
			{"first", func() {}, true, true},
			{"nothing has changed", func() {}, false, true},
			{"another cloud provider", func() { provider("b") }, true, true},
			{"one more Service", func() { services(hello, withUID("2", kindtest.Balancer("default", "more", ""))) }, true, true},
			{"nothing has changed again", func() {}, false, true},
			{"one of them has gone", func() { services(hello) }, false, true},
			{"made anew", func() { services(withUID("3", kindtest.Balancer("default", "hello", ""))) }, true, true},
			{"there it is", func() { services(withUID("3", kindtest.Balancer("default", "hello", "172.18.0.9"))) }, false, false},
			{"lost again", func() { services(withUID("3", kindtest.Balancer("default", "hello", ""))) }, true, true},
		} {
			step.change()
			before := len(w.out.String())
			w.up(w.environment(func(cfg *kindenv.Config) { cfg.Manifests = []string{"app.yaml"} }))
			said := w.out.String()[before:]
			if got := strings.Contains(said, waits); got != step.waits {
				t.Errorf("%s: it waited: %t, want %t", step.name, got, step.waits)
			}
			if got := strings.Contains(said, "no address yet for Service default/"); got != step.warns {
				t.Errorf("%s: it warned: %t, want %t\n%s", step.name, got, step.warns, said)
			}
		}
	})
}

func TestUpSaysWhyALoadBalancerDoesNotCome(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.Patience = 100 * time.Millisecond
		w.write("app.yaml", service)
		w.api.Answer(kindtest.PathServices, kindtest.List(kindtest.Balancer("default", "hello", "")))
		w.api.Answer("/api/v1/events", kindtest.List(`{"involvedObject":{"namespace":"default","name":"hello"},"message":"no free address","lastTimestamp":"2026-01-02T03:04:05Z"}`))
		w.up(w.environment(func(cfg *kindenv.Config) { cfg.Manifests = []string{"app.yaml"} }))
		wantText(t, w.out.String(), "default/hello: no free address", "get services -A")
	})
}
