package kindenv

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/redact"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kubeapi"
)

// Status is what is known about an environment.
type Status struct {
	Name       string
	Engine     string // kind, version and endpoint
	Exists     bool   // there is a node
	Nodes      []Node
	Kubernetes string // version of the API server; empty when it does not answer
	API        string // "ready", or why not
	Context    string // in a kubeconfig
	Kubeconfig string // the environment's own; empty when it is not there
	Merged     bool   // the user's kubeconfig has the context too
	Unmerged   string // why Up could not put all of it there

	CloudProvider string // its state in a sentence
	Serves        bool   // the cloud provider serves the cluster
	LoadBalancers []LoadBalancer

	Warnings []string // what is wrong, and what to do about it
}

// Node is a node's container, and what Kubernetes says of it.
type Node struct {
	Name    string
	Role    string       // control-plane, worker or external-load-balancer
	State   engine.State // empty on engines that don't tell
	Ended   string       // of a container that does not run: how and when that came, in words
	Ready   bool         // by Kubernetes; false where that can't be asked
	Reason  string       // why it is not ready
	Version string       // of its kubelet
	Remedy  string       // what is wrong with it and what env:up does about that; empty: nothing
}

// LoadBalancer is a load balancer in the cluster.
type LoadBalancer struct {
	Name      string // Service default/hello
	State     engine.State
	Addresses []netip.Addr
	Ports     []ServicePort // of a Service, as far as the API server can be asked
	Published []engine.Port // on the engine's host, if any
}

// ServicePort is a port that a Service's load balancer listens on.
type ServicePort struct {
	Port     int
	Protocol string // TCP, UDP or SCTP
}

// statusBudget bounds each question of a status: it describes, it does not wait.
const statusBudget = 5 * time.Second

// Status says what there is of the environment, in what state, and what Up
// would do about that. It changes nothing and waits for nothing. A bad state is
// no error: that means that the engine can't be asked.
func (e *Environment) Status(ctx context.Context) (_ Status, err error) {
	s, err := e.open(ctx, nil)
	if err != nil {
		return Status{}, redact.Error(err)
	}
	defer func() { err = redact.Error(errors.Join(err, s.close(nil))) }()
	s.memory = recall(e.memoryFile())
	return s.status(ctx, true)
}

// LoadBalancers lists the load balancers that the cloud provider made for the cluster.
func (e *Environment) LoadBalancers(ctx context.Context) (_ []cloudprovider.LoadBalancer, err error) {
	s, err := e.open(ctx, nil)
	if err != nil {
		return nil, redact.Error(err)
	}
	defer func() { err = redact.Error(errors.Join(err, s.close(nil))) }()
	return s.provider.LoadBalancers(ctx)
}

// status looks also into the control plane if thorough is set.
func (s *session) status(ctx context.Context, thorough bool) (Status, error) {
	at := s.eng.Endpoint()
	status := Status{Name: s.name, Context: s.Context(), Engine: fmt.Sprintf("%s %s at %s", at.Kind, at.Version, redact.URL(at.Host))}
	found, err := s.containers(ctx)
	if err != nil {
		return status, err
	}
	all, strangers := found.split()
	status.Exists = len(all) > 0
	s.statusOfMerge(ctx, &status)
	inside := s.statusOfAPI(ctx, &status, all)
	s.statusOfNodes(&status, all, inside)
	s.statusOfProvider(ctx, &status)
	s.statusOfNetwork(ctx, &status)
	s.examine(ctx, &status, all, inside, thorough)
	if len(strangers) > 0 {
		status.Warnings = append(status.Warnings, s.estrange(strangers))
	}
	status.redact()
	return status, nil
}

// statusOfAPI asks Kubernetes about itself and its nodes, which are nil if it can't be asked.
func (s *session) statusOfAPI(ctx context.Context, status *Status, all nodes) []kubeapi.Node {
	ctx, cancel := context.WithTimeout(ctx, statusBudget)
	defer cancel()
	raw, ours := s.ownKubeconfig(all)
	switch {
	case !status.Exists:
		status.API = absent
		return nil
	case all.asleep():
		status.API = "does not run: " + all.with(kind.RoleControlPlane).names()
		return nil
	case !ours:
		status.API = "unknown: there is no kubeconfig for it yet; env:up makes one"
		return nil
	}
	inside, err := s.askAPI(ctx, raw, status)
	if err != nil {
		status.API = err.Error()
	}
	return inside
}

func (s *session) askAPI(ctx context.Context, raw []byte, status *Status) ([]kubeapi.Node, error) {
	if err := s.use(raw); err != nil {
		return nil, err
	}
	if err := s.api.Readyz(ctx); err != nil {
		return nil, err
	}
	status.API = ready
	var err error
	if status.Kubernetes, err = s.api.Version(ctx); err != nil {
		return nil, err
	}
	return s.api.Nodes(ctx)
}

func (s *session) statusOfProvider(ctx context.Context, status *Status) {
	ctx, cancel := context.WithTimeout(ctx, statusBudget)
	defer cancel()
	state, err := s.provider.Status(ctx)
	status.CloudProvider = state.Reason
	if err != nil {
		status.CloudProvider = err.Error()
		return
	}
	status.Serves = state.State == engine.Running && slices.Contains(state.Clusters, s.name)
	status.Warnings = append(status.Warnings, s.providerWarnings(status.Exists, state)...)
	found, err := s.provider.LoadBalancers(ctx)
	if err != nil {
		status.CloudProvider += "; " + err.Error()
	}
	status.LoadBalancers = described(found)
	services := s.addPorts(ctx, status)
	if status.Exists && !s.cfg.NoCloudProvider {
		status.Warnings = append(status.Warnings, balancerWarnings(services, status.LoadBalancers)...)
	}
}

// ready is the API server's state when all is well.
const ready = "ready"
