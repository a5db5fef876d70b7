package cloudprovider

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// adminPort is the proxies' own, which is always published.
const adminPort = 10000

// LoadBalancer is one load balancer that the controller made: the proxy of a
// Service, of a Gateway, or of the Ingresses of a namespace.
type LoadBalancer struct {
	Cluster   string
	Kind      string // "Service" or "Gateway"
	Namespace string
	Name      string // of the Service or Gateway

	Container string // name of the proxy's container
	ID        string // of the proxy's container
	State     engine.State
	// Addresses are the proxy's, in the cluster's network: IPv4 before IPv6.
	// None when it does not run.
	Addresses []netip.Addr
	// Ports are published on the engine's host, sorted; the proxy's admin port
	// is left out. None without port mapping.
	Ports []engine.Port
}

// LoadBalancers lists the load balancers of ClusterName, or of every cluster
// when that is empty, sorted by cluster, kind, namespace and name.
func (c *Controller) LoadBalancers(ctx context.Context) ([]LoadBalancer, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	// an empty name stands for any
	proxies, err := c.eng.List(ctx, map[string]string{LabelCluster: c.cfg.ClusterName})
	if err != nil {
		return nil, fmt.Errorf("looking for load balancers: %w", err)
	}
	var balancers []LoadBalancer
	for _, proxy := range proxies {
		if balancer, ok := c.loadBalancer(proxy); ok {
			balancers = append(balancers, balancer)
		}
	}
	slices.SortFunc(balancers, byName)
	return balancers, nil
}

// loadBalancer reads a proxy's labels; ok is false when they aren't a proxy's.
func (c *Controller) loadBalancer(proxy engine.Container) (balancer LoadBalancer, ok bool) {
	kind, label := "Service", proxy.Labels[LabelLoadBalancer]
	if isGateway(proxy) {
		kind, label = "Gateway", proxy.Labels[LabelGateway]
	}
	parts := strings.Split(label, "/")
	if len(parts) != 3 {
		return LoadBalancer{}, false
	}
	return LoadBalancer{
		Cluster:   parts[0],
		Kind:      kind,
		Namespace: parts[1],
		Name:      parts[2],
		Container: proxy.Name,
		ID:        proxy.ID,
		State:     proxy.State,
		Addresses: addresses(proxy, c.cfg.Network),
		Ports:     published(proxy.Ports),
	}, true
}

func addresses(proxy engine.Container, network string) []netip.Addr {
	var found []netip.Addr
	for _, attachment := range proxy.Networks {
		if attachment.Network != network {
			continue
		}
		for _, address := range []netip.Addr{attachment.IPv4, attachment.IPv6} {
			if address.IsValid() {
				found = append(found, address)
			}
		}
	}
	return found
}

// published leaves the admin port out.
func published(ports []engine.Port) []engine.Port {
	return slices.DeleteFunc(slices.Clone(ports), func(port engine.Port) bool {
		return port.ContainerPort == adminPort && port.Protocol == "tcp"
	})
}

func byName(a, b LoadBalancer) int {
	return cmp.Or(
		strings.Compare(a.Cluster, b.Cluster),
		strings.Compare(a.Kind, b.Kind),
		strings.Compare(a.Namespace, b.Namespace),
		strings.Compare(a.Name, b.Name),
	)
}
