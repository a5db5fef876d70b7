// Package cloudprovider runs cloud-provider-kind, which gives kind clusters
// working LoadBalancer Services, Ingress and Gateway API, as a container on the
// engine that the clusters run on.
//
// With [Config.ClusterName] set the [Controller] serves that cluster alone, so
// that several projects can share an engine. All state is in the containers'
// labels: any Controller with the same configuration, in any process, finds
// what another one started.
package cloudprovider

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// Budgets, generous: machines that run kind are often busy.
const (
	startBudget   = 60 * time.Second // for the controller to get past its first listing
	settleTime    = 2 * time.Second  // up that long without a complaint counts as past it
	stopGrace     = 15 * time.Second // for the controller to remove its load balancers
	sweepBudget   = 30 * time.Second // for what it left
	cleanupBudget = 15 * time.Second // for undoing a failed start

	// cutShortBudget is within the 5 s that mage leaves an interrupted target.
	cutShortBudget = 3 * time.Second
)

// Controller is the cloud provider of one cluster, or of a whole engine.
// Its methods may be called from several goroutines, but two of Start
// and Stop at the same time, here or in other processes, are for the caller to exclude.
type Controller struct {
	eng  engine.Engine
	cfg  Config
	goos string

	startBudget, settleTime, stopGrace, sweepBudget time.Duration

	// processes finds cloud providers that run on this machine outside of
	// containers and may use the engine.
	processes func(at engine.Endpoint) []process

	mu    sync.Mutex
	proxy proxyImage // as last asked
}

// New returns a Controller for cfg on eng. It asks the engine nothing; wrong
// settings are reported by the first call that needs them.
func New(eng engine.Engine, cfg Config) *Controller {
	return &Controller{
		eng:         eng,
		cfg:         cfg.withDefaults(),
		goos:        runtime.GOOS,
		startBudget: startBudget,
		settleTime:  settleTime,
		stopGrace:   stopGrace,
		sweepBudget: sweepBudget,
		processes:   hostProcesses,
	}
}

// check is what every call does before it touches the engine.
func (c *Controller) check() error {
	if err := c.cfg.Validate(); err != nil {
		return err
	}
	return supported(c.eng.Endpoint())
}

// name is the container's name.
func (c *Controller) name() string {
	if c.cfg.ClusterName == "" {
		return "cloud-provider-kind"
	}
	return c.cfg.ClusterName + "-cloud-provider"
}

// ownLabels are the labels that tell our container from every other.
func (c *Controller) ownLabels(role string) map[string]string {
	return map[string]string{LabelRole: role, LabelOwner: c.cfg.ClusterName}
}

// listExactly lists the containers that carry labels with exactly these values.
func (c *Controller) listExactly(ctx context.Context, labels map[string]string) ([]engine.Container, error) {
	listed, err := c.eng.List(ctx, labels)
	if err != nil {
		return nil, err
	}
	var exact []engine.Container
	for _, container := range listed {
		if carries(container, labels) {
			exact = append(exact, container)
		}
	}
	return exact, nil
}
