package kindenv

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// balancerBudget is how long to wait for addresses of load balancers. One that
// gets none is no failure: it may be another controller's.
const balancerBudget = 30 * time.Second

// deploy loads the images, waits for what manifests rely on, and applies them.
func (s *session) deploy(ctx context.Context) error {
	err := together(ctx,
		s.providerReady,
		func(ctx context.Context) error { return s.loadMissing(ctx, s.cfg.Images) },
		func(ctx context.Context) error {
			return s.await(ctx, nil, s.kubernetes(s.api.DefaultServiceAccount()))
		},
	)
	if err != nil || len(s.cfg.Manifests) == 0 {
		return err
	}
	if err := s.applyAll(ctx, s.cfg.Manifests); err != nil {
		return err
	}
	return s.awaitBalancers(ctx)
}

// awaitBalancers waits until the Services of type LoadBalancer have addresses.
func (s *session) awaitBalancers(ctx context.Context) error {
	if s.cfg.NoCloudProvider || s.eng.Endpoint().Kind == engine.Containerd {
		return nil
	}
	if s.balanced(ctx) == nil {
		return nil
	}
	err := s.step(ctx, "Waiting for load balancers 🌐", func(ctx context.Context, _ *progress.Step) error {
		return retry.Until(ctx, s.deps.balancerBudget, s.balanced)
	})
	if err != nil && ctx.Err() == nil {
		s.console.Warn(err.Error())
		return nil
	}
	return err
}

// balanced returns an error that names the load balancers without an address.
func (s *session) balanced(ctx context.Context) error {
	services, err := s.api.LoadBalancers(ctx)
	if err != nil {
		return err
	}
	var waiting []string
	for _, service := range services {
		if len(service.Addresses) == 0 && service.Class == "" { // those with a class are others' business
			waiting = append(waiting, service.Namespace+"/"+service.Name)
		}
	}
	if len(waiting) > 0 {
		return errors.New("no address yet for Service " + strings.Join(waiting, ", ") + fmt.Sprintf("; look further with: %s get services -A", s.kubectlCommand()))
	}
	return nil
}
