package kindenv

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/kindenv/internal/kubeapi"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// balancerBudget is how long to wait for addresses of load balancers. One that
// gets none is no failure: it may be another controller's.
const balancerBudget = 30 * time.Second

// pendingServices are Services of type LoadBalancer that have no address. As an error
// it names them.
type pendingServices []kubeapi.Service

func (p pendingServices) Error() string {
	names := make([]string, len(p))
	for i, service := range p {
		names[i] = service.Namespace + "/" + service.Name
	}
	return "no address yet for Service " + strings.Join(names, ", ")
}

// awaitBalancers waits until the Services of type LoadBalancer have addresses.
// For those that were waited for in vain it does not wait again, unless they or
// the cloud provider have been made anew.
func (s *session) awaitBalancers(ctx context.Context) error {
	if s.cfg.NoCloudProvider || s.eng.Endpoint().Kind == engine.Containerd {
		return nil
	}
	waiting, err := s.unbalanced(ctx)
	if err == nil && len(waiting) > 0 && s.gaveUpOn(ctx, waiting) {
		return s.warnOfPending(ctx, waiting)
	}
	if err != nil || len(waiting) > 0 {
		err = s.step(ctx, "Waiting for load balancers 🌐", func(ctx context.Context, _ *progress.Step) error {
			return retry.Until(ctx, s.deps.balancerBudget, func(ctx context.Context) error {
				now, err := s.unbalanced(ctx)
				if err != nil { // also that the time is over: what was last seen counts
					return err
				}
				if waiting = now; len(waiting) > 0 {
					return waiting
				}
				return nil
			})
		})
	}
	switch {
	case ctx.Err() != nil:
		return err
	case err != nil && len(waiting) == 0:
		s.console.Warn(err.Error())
		return nil
	}
	if keep := s.giveUpOn(ctx, waiting); keep != nil || err == nil {
		return keep
	}
	return s.warnOfPending(ctx, waiting)
}

// unbalanced lists the Services without an address.
func (s *session) unbalanced(ctx context.Context) (pendingServices, error) {
	services, err := s.api.LoadBalancers(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(services, func(service kubeapi.Service) bool {
		return len(service.Addresses) > 0 || service.Class != "" // those with a class are others' business
	}), nil
}

// warnOfPending names the Services, and the reasons that are known.
func (s *session) warnOfPending(ctx context.Context, waiting pendingServices) error {
	text := waiting.Error()
	complaints, _ := s.api.Complaints(ctx) // without them there is less to tell
	for _, service := range waiting {
		if complaint := complaints[service.Namespace+"/"+service.Name]; complaint != "" {
			text += fmt.Sprintf("\n  %s/%s: %s", service.Namespace, service.Name, complaint)
		}
	}
	s.console.Warn(fmt.Sprintf("%s\n  look further with: %s get services -A", text, s.kubectlCommand()))
	return ctx.Err()
}

// gaveUpOn reports whether all of them were waited for in vain before.
func (s *session) gaveUpOn(ctx context.Context, waiting pendingServices) bool {
	for _, id := range s.idsOf(ctx, waiting) {
		if !slices.Contains(s.memory.Pending, id) {
			return false
		}
	}
	return true
}

// giveUpOn remembers them.
func (s *session) giveUpOn(ctx context.Context, waiting pendingServices) error {
	ids := s.idsOf(ctx, waiting)
	if slices.Equal(ids, s.memory.Pending) {
		return nil
	}
	s.memory.Pending = ids
	return s.memory.keep()
}

// idsOf are what tells these Services from later ones, and the cloud provider
// that left them pending from another.
func (s *session) idsOf(ctx context.Context, services pendingServices) []string {
	if len(services) == 0 {
		return nil
	}
	provider, _ := s.provider.Status(ctx) // unknown is as good as any ID
	ids := make([]string, len(services))
	for i, service := range services {
		ids[i] = provider.ID + "/" + service.UID
	}
	return ids
}
