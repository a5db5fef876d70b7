// Package controller attaches to every kind cluster that docker shows and keeps
// its load balancers, one independent loop per cluster.
package controller

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/docker"
	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/klog"
	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/kube"
)

// Settings of the controller.
type Settings struct {
	ProxyImage     string // of the proxies
	Network        string // that nodes and proxies are on
	PortMapping    bool   // publish each port of a load balancer on the host
	GatewayChannel string // "standard", "experimental" or "disabled"
	DefaultIngress bool   // the IngressClass is made the default one
	CRDs           string // folder with a folder of definitions per channel
	Poll           time.Duration
	PendingPoll    time.Duration // while a cluster can't be attached to, and while there is none yet
	// Ready returns once the proxy at an address listens. Default: its admin port is asked.
	Ready func(ctx context.Context, address string) error
}

// Controller of all clusters.
type Controller struct {
	settings Settings
	docker   docker.CLI
	log      *klog.Logger
	// loops are the clusters that are attached to, or will be: each has a loop of its own.
	loops map[string]context.CancelFunc
	// hurry counts the quick polls that are left before the pace of an idle engine.
	hurry int
	all   sync.WaitGroup
}

// eager is how many quick polls in a row look for a first cluster.
const eager = 60

// New returns a controller that has asked nobody anything yet.
func New(s Settings, d docker.CLI, log *klog.Logger) *Controller {
	if s.Ready == nil {
		s.Ready = ready
	}
	return &Controller{settings: s, docker: d, log: log, loops: map[string]context.CancelFunc{}, hurry: eager}
}

// Run attaches to clusters as they come and go, until ctx is done; then it
// removes every proxy that docker shows, of whichever cluster.
func (c *Controller) Run(ctx context.Context) error {
	wait := time.NewTimer(0)
	defer wait.Stop()
	for {
		select {
		case <-ctx.Done():
			c.all.Wait()
			return c.cleanUp(context.WithoutCancel(ctx))
		case <-wait.C:
		}
		c.poll(ctx)
		wait.Reset(c.pace())
	}
}

// pace is the time until the next poll: short while a first cluster may be on its way.
func (c *Controller) pace() time.Duration {
	if len(c.loops) > 0 {
		c.hurry = eager
		return c.settings.Poll
	}
	if c.hurry > 0 {
		c.hurry--
		return c.settings.PendingPoll
	}
	return c.settings.Poll
}

func (c *Controller) poll(ctx context.Context) {
	names, err := c.docker.Clusters(ctx)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		c.log.Errorf("Error listing clusters, retrying: %v", err)
		return
	}
	present := map[string]bool{}
	for _, name := range names {
		present[name] = true
		if c.loops[name] == nil {
			c.loops[name] = c.start(ctx, name)
		}
	}
	for name, cancel := range c.loops {
		if !present[name] {
			c.log.Info("Deleting resources", "cluster", name)
			cancel()
			delete(c.loops, name)
		}
	}
}

func (c *Controller) start(ctx context.Context, name string) context.CancelFunc {
	ctx, cancel := context.WithCancel(ctx)
	c.all.Go(func() {
		defer cancel()
		c.serve(ctx, name)
	})
	return cancel
}

// serve attaches to one cluster, however long that takes, and then keeps its
// load balancers with the credentials it got then.
func (c *Controller) serve(ctx context.Context, name string) {
	for said := ""; ctx.Err() == nil; {
		client, err := c.connect(ctx, name)
		if err == nil {
			defer client.Close()
			c.attach(ctx, name, client)
			return
		}
		if said != err.Error() && ctx.Err() == nil {
			said = err.Error()
			c.log.Errorf("Failed to create kubeClient for cluster %s: %v", name, err)
		}
		pause(ctx, c.settings.PendingPoll)
	}
}

func (c *Controller) connect(ctx context.Context, name string) (*kube.Client, error) {
	node, err := c.docker.ControlPlane(ctx, name)
	if err != nil {
		return nil, err
	}
	adminConf, err := c.docker.ReadFile(ctx, node, "/etc/kubernetes/admin.conf")
	if err != nil {
		return nil, err
	}
	client, err := kube.NewClient(adminConf)
	if err != nil {
		return nil, err
	}
	if err := client.Get(ctx, "/api/v1/namespaces/default", nil); err != nil {
		client.Close()
		return nil, fmt.Errorf("asking the API server: %w", err)
	}
	return client, nil
}

func (c *Controller) attach(ctx context.Context, name string, client *kube.Client) {
	c.log.Infof("Connected succesfully to %s", client.Server()) // the spelling is upstream's
	c.log.Infof("Creating new cloud provider for cluster %s", name)
	classes := c.settings.GatewayChannel != "disabled"
	if classes {
		c.installCRDs(ctx, name, client)
	}
	c.log.Info("Starting cloud controller", "cluster", name)
	if classes {
		c.all.Go(func() { c.offerClasses(ctx, name, client) })
	}
	newBalancers(c, name, client).run(ctx)
}

// cleanUp removes every proxy that docker shows, like upstream's: whose they are is not asked.
func (c *Controller) cleanUp(ctx context.Context) error {
	names, err := c.docker.Proxies(ctx)
	if err != nil {
		return fmt.Errorf("listing the proxies to remove: %w", err)
	}
	c.log.Infof("Removing %d proxies", len(names))
	return c.docker.Remove(ctx, names...)
}

// pause sleeps, or returns early when ctx is done.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// absent reports whether err says that there is no such object.
func absent(err error) bool { return errors.Is(err, kube.ErrNotFound) }
