package kindenv_test

import (
	"context"
	"slices"
	"sync"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// fakeProvider is a cloud provider that serves as soon as it is started.
type fakeProvider struct {
	onPrepare, onStart, onStop, onRenew func(ctx context.Context) error // may be nil
	attached                            error

	mu        sync.Mutex
	calls     []string
	running   bool
	balancers []cloudprovider.LoadBalancer
	status    *cloudprovider.Status // instead of what follows from running
}

func (p *fakeProvider) note(call string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = append(p.calls, call)
}

func (p *fakeProvider) has(call string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Contains(p.calls, call)
}

func (p *fakeProvider) do(ctx context.Context, call string, on func(context.Context) error) error {
	p.note(call)
	if on != nil {
		return on(ctx)
	}
	return ctx.Err()
}

func (p *fakeProvider) PrepareImages(ctx context.Context) error {
	return p.do(ctx, "PrepareImages", p.onPrepare)
}

func (p *fakeProvider) Start(ctx context.Context) error {
	err := p.do(ctx, "Start", p.onStart)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = p.running || err == nil
	return err
}

func (p *fakeProvider) Stop(ctx context.Context) error {
	err := p.do(ctx, "Stop", p.onStop)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = p.running && err != nil
	return err
}

func (p *fakeProvider) Attached(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.attached
}

func (p *fakeProvider) Status(context.Context) (cloudprovider.Status, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.status != nil {
		return *p.status, nil
	}
	if !p.running {
		return cloudprovider.Status{Reason: "absent"}, nil
	}
	return cloudprovider.Status{State: engine.Running, Clusters: []string{"x"}, Reason: "running since today"}, nil
}

func (p *fakeProvider) LoadBalancers(context.Context) ([]cloudprovider.LoadBalancer, error) {
	return p.balancers, nil
}

func (p *fakeProvider) Renew(ctx context.Context) error {
	return p.do(ctx, "Renew", p.onRenew)
}
