package docker

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// AdminPort is the port of the proxy's own HTTP server, published on a random
// port of every address of the host.
const AdminPort = 10000

// Proxy describes the container of one load balancer.
type Proxy struct {
	Name    string // the container's name
	Image   string // of the proxy; its entry point takes the arguments
	Cluster string // for the label
	Service string // <cluster>/<namespace>/<name>, for the label
	Network string // that the container joins
	Publish []int  // TCP ports to publish on a free port of the host each; none without port mapping
	Args    []string
	Env     map[string]string
}

// Found is what docker says of a proxy that is there.
type Found struct {
	Image     string
	Running   bool
	Published []int // TCP ports with a port of the host, the admin port apart
	IPv4      string
	IPv6      string
}

// Run makes and starts a proxy.
func (c CLI) Run(ctx context.Context, p Proxy) error {
	args := []string{
		"run", "--detach", "--tty", "--name", p.Name, "--hostname", p.Name,
		"--label", LabelCluster + "=" + p.Cluster, "--label", LabelLoadBalancer + "=" + p.Service,
		"--network", p.Network, "--privileged", "--restart=on-failure",
		"--publish", "0.0.0.0::" + strconv.Itoa(AdminPort) + "/tcp",
	}
	for _, port := range p.Publish {
		args = append(args, "--publish", strconv.Itoa(port)+"/tcp")
	}
	for _, key := range slices.Sorted(maps.Keys(p.Env)) {
		args = append(args, "--env", key+"="+p.Env[key])
	}
	_, err := c.run(ctx, append(append(args, p.Image), p.Args...)...)
	return err
}

// Exec runs a command in a container, with a text for its standard input.
func (c CLI) Exec(ctx context.Context, container, stdin string, command ...string) error {
	_, err := c.feed(ctx, stdin, append([]string{"exec", "-i", container}, command...)...)
	return err
}

// ClusterProxies returns the Service names (<cluster>/<namespace>/<name>) of a
// cluster's load balancer proxies, by container name.
func (c CLI) ClusterProxies(ctx context.Context, cluster string) (map[string]string, error) {
	out, err := c.run(ctx, "ps", "-a", "--filter", "label="+LabelCluster+"="+cluster, "--filter", "label="+LabelLoadBalancer,
		"--format", `{{.Names}} {{.Label "`+LabelLoadBalancer+`"}}`)
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for line := range strings.Lines(out) {
		if name, service, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			found[name] = service
		}
	}
	return found, nil
}

// Inspect looks for a proxy by name; ok is false when there is none.
func (c CLI) Inspect(ctx context.Context, name, network string) (found Found, ok bool, err error) {
	out, err := c.run(ctx, "container", "inspect", name)
	if err != nil {
		if strings.Contains(strings.ToLower(err.Error()), "no such container") {
			return Found{}, false, nil
		}
		return Found{}, false, err
	}
	var all []inspected
	if err := json.Unmarshal([]byte(out), &all); err != nil || len(all) != 1 {
		return Found{}, false, fmt.Errorf("reading what docker says of container %q: %w", name, err)
	}
	return all[0].found(network), true, nil
}

type inspected struct {
	State      struct{ Running bool }
	Config     struct{ Image string }
	HostConfig struct {
		PortBindings map[string]json.RawMessage
	}
	NetworkSettings struct {
		Networks map[string]struct{ IPAddress, GlobalIPv6Address string }
	}
}

func (i inspected) found(network string) Found {
	f := Found{Image: i.Config.Image, Running: i.State.Running}
	for port := range i.HostConfig.PortBindings {
		number, protocol, _ := strings.Cut(port, "/")
		if n, err := strconv.Atoi(number); err == nil && n != AdminPort && protocol == "tcp" {
			f.Published = append(f.Published, n)
		}
	}
	slices.Sort(f.Published)
	f.IPv4 = i.NetworkSettings.Networks[network].IPAddress
	f.IPv6 = i.NetworkSettings.Networks[network].GlobalIPv6Address
	return f
}
