//go:build integration

package cloudprovider_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
)

func TestRealLifecycle(t *testing.T) {
	t.Parallel()
	l := newLab(t, "serve")
	c := l.controller()
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.wantOwn(l.id + "-cloud-provider")
	if err := c.Attached(t.Context()); err != nil {
		t.Error(err)
	}
	before, err := c.Status(t.Context())
	if err != nil || before.State != engine.Running || before.Outdated {
		t.Errorf("got %+v and %v, want running and up to date", before, err)
	}
	if err := c.Start(t.Context()); err != nil {
		t.Error(err)
	}
	if after, _ := c.Status(t.Context()); after.ID != before.ID {
		t.Error("the second start replaced the container")
	}
	out, end := follow(t, func(ctx context.Context, out *buffer) error { return c.Attach(ctx, out) })
	out.await(t, "Starting cloud controller")
	if err := end(); err != nil {
		t.Error(err)
	}
	last := &lastWords{lab: l}
	l.stopsAlone(l.controllerOn(last))
	if !strings.Contains(last.log.String(), "stopped gracefully") {
		t.Errorf("got last words %q, want that the controller was stopped gracefully", last.log.String())
	}
}

// lastWords is an engine that keeps the log of our container when it is removed.
type lastWords struct {
	lab
	log bytes.Buffer
}

func (l *lastWords) Remove(ctx context.Context, id string) error {
	if containers, _ := l.List(ctx, map[string]string{cloudprovider.LabelOwner: l.id}); len(containers) == 1 && containers[0].ID == id {
		if err := l.Logs(ctx, id, engine.LogOptions{}, &l.log); err != nil {
			return err
		}
	}
	return l.lab.Remove(ctx, id)
}

// stopsAlone stops c and sees the cluster's load balancer go and another's stay.
func (l lab) stopsAlone(c *cloudprovider.Controller) {
	l.t.Helper()
	own, other := l.proxy(l.id), l.proxy(l.id+"-2")
	balancers, err := c.LoadBalancers(l.t.Context())
	if err != nil || len(balancers) != 1 || balancers[0].ID != own || balancers[0].Name != "web" {
		l.t.Errorf("got %+v and %v, want the one of this cluster", balancers, err)
	}
	if err := c.Stop(l.t.Context()); err != nil {
		l.t.Error(err)
	}
	l.wantOwn()
	left, err := l.List(l.t.Context(), map[string]string{cloudprovider.LabelCluster: ""})
	if err != nil {
		l.t.Fatal(err)
	}
	there := map[string]bool{}
	for _, container := range left {
		there[container.ID] = true
	}
	if there[own] || !there[other] {
		l.t.Errorf("of the load balancers, ours is there: %t, the other one: %t", there[own], there[other])
	}
}

// proxy makes a load balancer's container for cluster, removed after the test.
func (l lab) proxy(cluster string) string {
	l.t.Helper()
	id, err := l.Create(l.t.Context(), engine.Spec{
		Name: "kindccm-" + cluster, Image: l.image, Network: l.id,
		Labels: map[string]string{cloudprovider.LabelCluster: cluster, cloudprovider.LabelLoadBalancer: cluster + "/default/web"},
	})
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() {
		if err := l.Remove(context.WithoutCancel(l.t.Context()), id); err != nil && !errors.Is(err, engine.ErrNotFound) {
			l.t.Error(err)
		}
	})
	return id
}

func TestRealCrash(t *testing.T) {
	t.Parallel()
	l := newLab(t, "crash")
	err := l.controller().Start(t.Context())
	wantError(t, err, l.id+"-cloud-provider", l.image, "exited with code 3", "first words\n", "last words")
	l.wantOwn()
}

func TestRealCancel(t *testing.T) {
	t.Parallel()
	l := newLab(t, "mute")
	c := l.controller()
	if err := c.PrepareImages(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.SetBudgets(cloudprovider.Budgets{Start: time.Hour, Settle: time.Hour})
	for _, after := range []time.Duration{time.Millisecond, 50 * time.Millisecond, 300 * time.Millisecond, 2 * time.Second} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		if err := c.Start(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %s: got %v, want the deadline", after, err)
		}
		cancel()
		l.wantOwn()
	}
}

func TestRealNetworkMissing(t *testing.T) {
	t.Parallel()
	l := newLab(t, "serve")
	cfg := cloudprovider.DefaultConfig()
	cfg.Image, cfg.Network, cfg.ClusterName = l.image, l.id+"-none", l.id
	err := cloudprovider.New(l, cfg).Start(t.Context())
	wantError(t, err, l.id+"-none", "does not exist", "KIND_EXPERIMENTAL_DOCKER_NETWORK")
	l.wantOwn()
}
