package kindenv

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kubeapi"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// className is the name of the cloud provider's GatewayClass and IngressClass.
const className = "cloud-provider-kind"

// servesGateways is the first Kubernetes version on which the cloud provider
// offers Gateway API and Ingress: they need ServiceCIDR.
const servesGateways = "v1.33"

// condition is something to wait for.
type condition struct {
	name string
	look string // command to look further
	run  func(ctx context.Context) error
}

// apiReady waits for the API server, and for the kubelets of nodes that were
// started again: until those report, what Kubernetes says of the nodes and
// their pods is from before.
func (s *session) apiReady(ctx context.Context, all nodes) error {
	check := s.api.APIReady()
	if len(s.reporting(all)) == 0 && check.Run(ctx) == nil {
		if err := s.reunite(ctx, all); err != nil {
			return err
		}
		return s.noteRuns(all)
	}
	err := s.step(ctx, "Waiting for the API server ⏳", func(ctx context.Context, step *progress.Step) error {
		ctx, stop := s.watch(ctx, all)
		defer stop()
		if err := s.awaitMajority(ctx, step, all, s.kubernetes(check)); err != nil {
			return err
		}
		if err := s.reunite(ctx, all); err != nil {
			return err
		}
		return s.await(ctx, step, s.reporting(all)...)
	})
	if err != nil {
		return s.explainMoves(ctx, all, err)
	}
	return s.noteRuns(all)
}

// reporting are the conditions that the kubelets of nodes that were started
// again, by this call or by the engine, run again, and with them what was
// there; and that a thawed control plane's parts have found out whether they
// still lead: after seconds of sleep they lose that, and start anew.
func (s *session) reporting(all nodes) []condition {
	var conditions []condition
	for _, node := range all {
		if (s.started[node.ID] || s.restarted(node)) && node.Labels[kind.LabelRole] != kind.RoleLoadBalancer {
			conditions = append(conditions,
				s.kubernetes(s.api.NodeReports(member(node), node.StartedAt)),
				s.kubernetes(s.api.SystemPodsSince(member(node), node.StartedAt)))
		}
	}
	if s.thawed {
		conditions = append(conditions,
			s.kubernetes(s.api.Leads("kube-controller-manager")),
			s.kubernetes(s.api.Leads("kube-scheduler")))
	}
	return conditions
}

// clusterReady waits for the nodes, and for what the cluster itself runs on them.
func (s *session) clusterReady(ctx context.Context, all nodes) error {
	if s.shape.DisableDefaultCNI {
		return nil // nodes get ready with a pod network, which is the user's to install
	}
	return s.step(ctx, "Waiting until the cluster is ready ⏳", func(ctx context.Context, step *progress.Step) error {
		ctx, stop := s.watch(ctx, all)
		defer stop()
		return s.await(ctx, step, s.kubernetes(s.api.NodesReady(all.kubernetes())), s.kubernetes(s.api.CoreDNS()))
	})
}

// providerReady starts the cloud provider and waits until it serves the cluster.
func (s *session) providerReady(ctx context.Context) error {
	if s.cfg.NoCloudProvider {
		return nil
	}
	if err := s.thaw(ctx); err != nil {
		return err
	}
	if s.provider.Attached(ctx) != nil {
		if err := s.keepAdmin(ctx); err != nil {
			return err
		}
	}
	if err := s.launched(ctx); err != nil {
		return fmt.Errorf("start the cloud provider: %w", err)
	}
	if s.eng.Endpoint().Kind == engine.Containerd {
		return nil
	}
	return s.step(ctx, "Waiting until the cloud provider serves it ⚖️", func(ctx context.Context, step *progress.Step) error {
		conditions := []condition{{name: "cloud provider attached", look: "mage env:logs", run: s.provider.Attached}}
		return s.await(ctx, step, append(conditions, s.classes(ctx)...)...)
	})
}

// classes are the conditions about the classes that the cloud provider makes.
func (s *session) classes(ctx context.Context) []condition {
	if s.cfg.CloudProvider.GatewayChannel == "disabled" {
		return nil
	}
	if version, err := s.api.Version(ctx); err == nil && !atLeast(version, servesGateways) {
		s.console.Note(fmt.Sprintf("Kubernetes %s is too old for the cloud provider's Gateways and Ingresses, which need %s", version, servesGateways))
		return nil
	}
	return []condition{s.kubernetes(s.api.GatewayClass(className)), s.kubernetes(s.api.IngressClass(className))}
}

// kubernetes makes a condition of a check, with the whole command of its hint.
func (s *session) kubernetes(check kubeapi.Check) condition {
	return condition{name: check.Name, look: s.kubectlCommand() + " " + check.Hint, run: check.Run}
}

// kubectlCommand is how the user calls kubectl for this cluster.
func (s *session) kubectlCommand() string {
	return s.kubectlFor(s.merged != "")
}

func (s *session) kubectlFor(merged bool) string {
	if !merged {
		return "kubectl --kubeconfig " + s.Kubeconfig()
	}
	return "kubectl --context " + s.Context()
}

// await waits for all conditions at the same time, until the session's
// deadline. The error names each that does not hold, what was last seen, and
// how to look further.
func (s *session) await(ctx context.Context, step *progress.Step, conditions ...condition) error {
	ctx, cancel := context.WithDeadlineCause(ctx, s.deadline, fmt.Errorf("not ready after %s", s.cfg.Timeout))
	defer cancel()
	pending := newPending(step, conditions)
	waits := make([]func() error, len(conditions))
	for i, c := range conditions {
		waits[i] = func() error {
			if err := retry.Until(ctx, 0, c.run); err != nil {
				return fmt.Errorf("%s: %w\n\tlook further with: %s", c.name, err, c.look)
			}
			pending.done(c.name)
			return nil
		}
	}
	return separately(waits...)
}

// pending shows behind a step what it still waits for.
type pending struct {
	mu    sync.Mutex
	step  *progress.Step // may be nil
	names []string
}

func newPending(step *progress.Step, conditions []condition) *pending {
	p := &pending{step: step}
	for _, c := range conditions {
		p.names = append(p.names, c.name)
	}
	p.show()
	return p
}

func (p *pending) done(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names = slices.DeleteFunc(p.names, func(n string) bool { return n == name })
	p.show()
}

func (p *pending) show() {
	if p.step != nil {
		p.step.Detail(strings.Join(p.names, ", "))
	}
}
