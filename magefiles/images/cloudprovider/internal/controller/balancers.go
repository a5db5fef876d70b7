package controller

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/docker"
	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/kube"
	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/proxy"
)

const (
	services = "/api/v1/services"
	ofType   = "fieldSelector=spec.type%3DLoadBalancer"
	nodes    = "/api/v1/nodes"
)

// resync is how long the loop sleeps at most; events wake it earlier.
const resync = 30 * time.Second

// balancers keeps the load balancers of one cluster.
type balancers struct {
	*Controller
	cluster string
	client  *kube.Client
	// known are the Services ("namespace/name") that have or had a proxy, with
	// what it was last told, so that docker is only asked when that changes.
	known  map[string]string
	wake   chan struct{}
	failed map[string]string // by Service: the failure last logged
}

func newBalancers(c *Controller, cluster string, client *kube.Client) *balancers {
	return &balancers{
		Controller: c, cluster: cluster, client: client,
		known: map[string]string{}, failed: map[string]string{}, wake: make(chan struct{}, 1),
	}
}

func (b *balancers) run(ctx context.Context) {
	b.adopt(ctx)
	b.watch(ctx, services+"?watch=true&"+ofType)
	b.watch(ctx, nodes+"?watch=true")
	for ctx.Err() == nil {
		wait := resync
		settled, err := b.reconcile(ctx)
		if !b.report(ctx, "", err) || !settled {
			wait = b.settings.PendingPoll
		}
		select {
		case <-ctx.Done():
		case <-b.wake:
		case <-time.After(wait):
		}
	}
}

// adopt remembers the proxies that an earlier run left, so that those whose
// Service is gone are removed.
func (b *balancers) adopt(ctx context.Context) {
	found, err := b.docker.ClusterProxies(ctx, b.cluster)
	if err != nil {
		b.log.Errorf("Failed to look for earlier proxies of cluster %s: %v", b.cluster, err)
		return
	}
	for _, service := range found {
		if key, ok := strings.CutPrefix(service, b.cluster+"/"); ok {
			b.known[key] = ""
		}
	}
}

// watch wakes the loop at every change of a collection.
func (b *balancers) watch(ctx context.Context, path string) {
	b.all.Go(func() {
		for ctx.Err() == nil {
			err := b.client.Watch(ctx, path, b.rouse)
			if err != nil {
				pause(ctx, b.settings.PendingPoll)
			}
		}
	})
}

func (b *balancers) rouse() {
	select {
	case b.wake <- struct{}{}:
	default: // it will look at everything anyway
	}
}

// reconcile brings every load balancer to where it should be, and reports
// whether all are. The trouble of one Service is no reason to leave another.
func (b *balancers) reconcile(ctx context.Context) (settled bool, err error) {
	var list struct {
		Items []kube.Service `json:"items"`
	}
	if err := b.client.Get(ctx, services+"?"+ofType, &list); err != nil {
		return false, err
	}
	backends, err := b.backends(ctx)
	if err != nil {
		return false, err
	}
	wanted := map[string]bool{}
	settled = true
	for _, s := range list.Items {
		if !s.Wanted() {
			continue
		}
		key := s.Metadata.Namespace + "/" + s.Metadata.Name
		wanted[key] = true
		settled = b.report(ctx, key, b.ensure(ctx, key, s, backends)) && settled
	}
	for key := range b.known {
		if !wanted[key] {
			settled = b.report(ctx, key, b.remove(ctx, key)) && settled
		}
	}
	return settled, nil
}

func (b *balancers) backends(ctx context.Context) ([]string, error) {
	var list struct {
		Items []kube.Node `json:"items"`
	}
	if err := b.client.Get(ctx, nodes, &list); err != nil {
		return nil, err
	}
	var found []string
	for _, n := range list.Items {
		found = append(found, n.Backend()...)
	}
	slices.Sort(found)
	return found, nil
}

// report logs a failure with one Service, or with the cluster when key is
// empty, unless it is the same as last time. It reports whether all is well.
func (b *balancers) report(ctx context.Context, key string, err error) bool {
	if err == nil || ctx.Err() != nil {
		delete(b.failed, key)
		return true
	}
	if b.failed[key] != err.Error() {
		b.failed[key] = err.Error()
		b.log.Error(err, "Error syncing load balancer", "service", key, "cluster", b.cluster)
	}
	return false
}

// proxyName is the name of a Service's proxy: the same from every instance.
func proxyName(service string) string {
	sum := sha256.Sum256([]byte(service))
	return docker.ProxyPrefix + "-" + hex.EncodeToString(sum[:6])
}

// config is what the proxy of s forwards: its TCP ports.
func config(s kube.Service, backends []string) proxy.Config {
	c := proxy.Config{Nodes: backends}
	for _, p := range s.Spec.Ports {
		if p.Protocol != "TCP" {
			continue
		}
		if p.NodePort != 0 {
			c.Listen = append(c.Listen, proxy.Listen{Port: p.Port, NodePort: p.NodePort})
		}
	}
	return c
}

func fingerprint(c proxy.Config) (string, error) {
	raw, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("writing the proxy's configuration: %w", err)
	}
	return string(raw), nil
}
