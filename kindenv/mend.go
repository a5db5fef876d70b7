package kindenv

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/kindenv/internal/kubeapi"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// mendBalancers puts load balancers right that are not where their Services say
// that they are. A cloud provider that was started a moment ago does it by
// itself; another looks at all Services only when it is started anew. What can't
// be put right is no failure: it may be another controller's.
func (s *session) mendBalancers(ctx context.Context) error {
	if s.cfg.NoCloudProvider || s.eng.Endpoint().Kind == engine.Containerd || s.reachable(ctx) == nil {
		return ctx.Err()
	}
	err := s.step(ctx, "Mending load balancers 🌐", func(ctx context.Context, _ *progress.Step) error {
		if retry.Until(ctx, s.deps.balancerBudget/3, s.reachable) == nil {
			return nil
		}
		if err := s.provider.Renew(ctx); err != nil {
			return err
		}
		return retry.Until(ctx, s.deps.balancerBudget, s.reachable)
	})
	if err == nil || ctx.Err() != nil {
		return err
	}
	if now := s.reachable(ctx); now != nil { // without the tries before
		err = now
	}
	s.console.Warn(err.Error())
	return nil
}

// reachable returns an error that names the Services whose address is not that
// of a load balancer which runs.
func (s *session) reachable(ctx context.Context) error {
	services, err := s.api.LoadBalancers(ctx)
	if err != nil {
		return err
	}
	balancers, err := s.provider.LoadBalancers(ctx)
	if err != nil {
		return err
	}
	if lost := unserved(services, described(balancers)); len(lost) > 0 {
		return fmt.Errorf("%s; look further with: mage env:logs", strings.Join(lost, "; "))
	}
	return nil
}

// unserved says of each Service whose load balancer is not where its address
// says what has become of it. An engine that restarts leaves such: it ends load
// balancers, or starts them again with other addresses.
func unserved(services []kubeapi.Service, balancers []LoadBalancer) []string {
	var lost []string
	for _, service := range services {
		if len(service.Addresses) == 0 || service.Class != "" {
			continue
		}
		name := balancerOf(service)
		at := slices.IndexFunc(balancers, func(b LoadBalancer) bool { return b.Name == name })
		switch {
		case at < 0:
			lost = append(lost, fmt.Sprintf("the load balancer of %s is gone", name))
		case balancers[at].State != engine.Running:
			lost = append(lost, fmt.Sprintf("the load balancer of %s is %s", name, balancers[at].State))
		case moved(service, balancers[at]):
			lost = append(lost, fmt.Sprintf("the load balancer of %s is no longer at %s, but at %s",
				name, strings.Join(service.Addresses, " and "), balancers[at].Addresses[0]))
		}
	}
	return lost
}

// balancerWarnings says which load balancers are not as they should be, as far
// as the Services are known, and else by the containers alone.
func balancerWarnings(services []kubeapi.Service, balancers []LoadBalancer) []string {
	lost := unserved(services, balancers)
	for _, balancer := range balancers {
		known := slices.ContainsFunc(services, func(s kubeapi.Service) bool { return balancer.Name == balancerOf(s) })
		if balancer.State != engine.Running && !known {
			lost = append(lost, fmt.Sprintf("the load balancer of %s is %s", balancer.Name, balancer.State))
		}
	}
	for i := range lost {
		lost[i] += ": env:up mends it"
	}
	return lost
}

// moved says whether none of the Service's addresses is the load balancer's.
// Where ports are published, the addresses may be the host's.
func moved(service kubeapi.Service, balancer LoadBalancer) bool {
	if len(balancer.Addresses) == 0 || len(balancer.Published) > 0 {
		return false
	}
	for _, address := range balancer.Addresses {
		if slices.Contains(service.Addresses, address.String()) {
			return false
		}
	}
	return true
}
