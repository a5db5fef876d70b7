// Package demo shows what the targets give: it brings an environment up with
// the example in it, and gets the page that the example's load balancer serves.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/kindenv"
)

const (
	// servicePort is the port of the example's Service: the one of http.
	servicePort = 80
	// patience is how long a load balancer may take from the environment's
	// being ready to its first page.
	patience = 2 * time.Minute
)

// Run brings the environment up, waits for the page of the example's load
// balancer, and prints its address, the page, and what to do next.
func Run(ctx context.Context, cfg kindenv.Config, out io.Writer) error {
	env, err := kindenv.New(cfg)
	if err != nil {
		return err
	}
	if err := env.Up(ctx); err != nil {
		return err
	}
	url, page, err := visit(ctx, env.LoadBalancers)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nThe example's load balancer is at %s and returns:\n\n%s\n\n", url, indent(page))
	fmt.Fprint(out, next)
	return nil
}

const next = `What to do next:
    go tool mage env:logs      follow what goes on in it, until Ctrl-C
    go tool mage env:status    see what is there
    go tool mage env:down      remove all of it
`

// visit gets the page behind the first load balancer that serves one.
func visit(ctx context.Context, list func(context.Context) ([]cloudprovider.LoadBalancer, error)) (url, page string, err error) {
	err = retry.Until(ctx, patience, func(ctx context.Context) error {
		balancers, err := list(ctx)
		if err != nil {
			return err
		}
		last := errors.New("there is no load balancer yet")
		for _, candidate := range addresses(balancers) {
			if page, last = get(ctx, candidate); last == nil {
				url = candidate
				return nil
			}
		}
		return last
	})
	if err != nil {
		return "", "", fmt.Errorf("waiting for the example's page; `go tool mage env:logs` shows more: %w", err)
	}
	return url, page, nil
}

// addresses are the URLs that the load balancers may answer at: their own
// addresses, which are reachable where the engine runs on this machine's
// kernel, and the ports published on the engine's host.
func addresses(balancers []cloudprovider.LoadBalancer) []string {
	var urls []string
	for _, balancer := range balancers {
		for _, addr := range balancer.Addresses {
			urls = append(urls, "http://"+host(addr))
		}
		for _, port := range balancer.Ports {
			if port.ContainerPort == servicePort && port.Host.Addr().Is4() {
				urls = append(urls, "http://"+net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port.Host.Port()))))
			}
		}
	}
	return urls
}

// host is an address as it is written in a URL.
func host(addr netip.Addr) string {
	if addr.Is6() {
		return "[" + addr.String() + "]"
	}
	return addr.String()
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}
