package controller

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/docker"
	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/kube"
	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/proxy"
)

// binary is the program's path in its own image, which is the proxies' too.
const binary = "/bin/cloud-provider-kind"

// ensure gives s a proxy that forwards to backends, and its address. When
// nothing has changed since the last time, docker is not asked: like with the
// real one, a proxy that somebody removed stays away until something changes.
func (b *balancers) ensure(ctx context.Context, key string, s kube.Service, backends []string) error {
	c := config(s, backends)
	want, err := fingerprint(c)
	if err != nil {
		return err
	}
	if b.known[key] == want && len(s.Status.LoadBalancer.Ingress) > 0 {
		return nil
	}
	if err := b.setFinalizer(ctx, s, true); err != nil {
		return err
	}
	if _, ok := b.known[key]; !ok {
		b.log.Info("Ensuring load balancer", "service", key, "cluster", b.cluster)
		b.known[key] = ""
	}
	found, err := b.place(ctx, key, c, want)
	if err != nil {
		return err
	}
	addresses := addressesOf(found, s.Spec.IPFamilies)
	if len(addresses) == 0 {
		return fmt.Errorf("proxy %s has no address on network %q", proxyName(b.cluster+"/"+key), b.settings.Network)
	}
	if err := b.setStatus(ctx, s, addresses); err != nil {
		return err
	}
	b.known[key] = want
	b.log.Info("Ensured load balancer", "service", key, "cluster", b.cluster, "addresses", addresses)
	if left := len(s.Spec.Ports) - len(c.Listen); left > 0 {
		b.log.Errorf("%d ports of %s are not served: this stand-in forwards TCP only", left, key)
	}
	return nil
}

// place makes the proxy, or tells the one that is there what it forwards now.
func (b *balancers) place(ctx context.Context, key string, c proxy.Config, raw string) (docker.Found, error) {
	p := docker.Proxy{
		Name: proxyName(b.cluster + "/" + key), Image: b.settings.ProxyImage, Network: b.settings.Network,
		Cluster: b.cluster, Service: b.cluster + "/" + key,
		Args: []string{"proxy"}, Env: map[string]string{proxy.Env: raw},
	}
	if b.settings.PortMapping {
		for _, l := range c.Listen {
			p.Publish = append(p.Publish, l.Port)
		}
	}
	found, there, err := b.docker.Inspect(ctx, p.Name, p.Network)
	if err != nil {
		return docker.Found{}, err
	}
	if there && found.Running && found.Image == p.Image && sameSet(found.Published, p.Publish) {
		return found, b.docker.Exec(ctx, p.Name, raw, binary, "configure")
	}
	if there {
		if err := b.docker.Remove(ctx, p.Name); err != nil {
			return docker.Found{}, err
		}
	}
	if err := b.docker.Run(ctx, p); err != nil {
		return docker.Found{}, err
	}
	found, there, err = b.docker.Inspect(ctx, p.Name, p.Network)
	if err != nil || !there {
		return docker.Found{}, fmt.Errorf("proxy %s is gone right after its start: %w", p.Name, err)
	}
	return found, b.settings.Ready(ctx, cmp.Or(found.IPv4, found.IPv6))
}

func sameSet(a, b []int) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// ready waits until the proxy's admin port answers, which it does once it listens.
func ready(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	url := "http://" + net.JoinHostPort(address, strconv.Itoa(docker.AdminPort)) + "/ready"
	for {
		err := answers(ctx, url)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("waiting for the proxy to be ready: %w", err)
		}
		pause(ctx, 50*time.Millisecond)
	}
}

func answers(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s", url, response.Status)
	}
	return nil
}

// addressesOf returns the proxy's addresses of the Service's families, in their order.
func addressesOf(p docker.Found, families []string) []string {
	var found []string
	for _, family := range families {
		switch {
		case family == "IPv4" && p.IPv4 != "":
			found = append(found, p.IPv4)
		case family == "IPv6" && p.IPv6 != "":
			found = append(found, p.IPv6)
		}
	}
	return found
}
