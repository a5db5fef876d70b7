// Package docker asks the docker command on the PATH, in the words that the
// cloud provider uses: whoever puts a docker of his own ahead on the PATH sees the same calls.
package docker

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Labels of kind and of the cloud provider.
const (
	LabelKindCluster  = "io.x-k8s.kind.cluster"
	LabelKindRole     = "io.x-k8s.kind.role"
	LabelCluster      = "io.x-k8s.cloud-provider-kind.cluster"
	LabelLoadBalancer = "io.x-k8s.cloud-provider-kind.loadbalancer.name"
)

// ProxyPrefix starts the names of all containers that the cloud provider makes.
const ProxyPrefix = "kindccm"

// patience bounds one call: a hung engine must not stop the other clusters' loops for ever.
const patience = time.Minute

// CLI runs the docker command. The zero value runs the one on the PATH.
type CLI struct {
	// Command is the program's name or path. Default: docker.
	Command string
}

// Clusters returns the names of all kind clusters that docker shows, half-created ones included.
func (c CLI) Clusters(ctx context.Context) ([]string, error) {
	out, err := c.run(ctx, "ps", "-a", "--filter", "label="+LabelKindCluster, "--format", `{{.Label "`+LabelKindCluster+`"}}`)
	names := strings.Fields(out)
	slices.Sort(names)
	return slices.Compact(names), err
}

// ControlPlane returns the name of one running control-plane node of a cluster.
func (c CLI) ControlPlane(ctx context.Context, cluster string) (string, error) {
	out, err := c.run(ctx, "ps", "--filter", "label="+LabelKindCluster+"="+cluster,
		"--filter", "label="+LabelKindRole+"=control-plane", "--format", "{{.Names}}")
	if err != nil {
		return "", err
	}
	names := strings.Fields(out)
	if len(names) == 0 {
		return "", fmt.Errorf("cluster %q has no running control-plane node", cluster)
	}
	return slices.Min(names), nil
}

// ReadFile returns a file of a running container.
func (c CLI) ReadFile(ctx context.Context, container, path string) (string, error) {
	return c.run(ctx, "exec", container, "cat", path)
}

// Proxies returns the names of all proxies that docker shows, of every cluster.
func (c CLI) Proxies(ctx context.Context) ([]string, error) {
	out, err := c.run(ctx, "ps", "-a", "--filter", "label="+LabelCluster, "--format", "{{.Names}}")
	names := slices.DeleteFunc(strings.Fields(out), func(n string) bool { return !strings.HasPrefix(n, ProxyPrefix) })
	return names, err
}

// Remove kills and removes containers; none, or absent ones, are no error.
func (c CLI) Remove(ctx context.Context, names ...string) error {
	if len(names) == 0 {
		return nil
	}
	_, err := c.run(ctx, append([]string{"rm", "-f", "-v"}, names...)...)
	if err != nil && strings.Contains(err.Error(), "No such container") {
		return nil
	}
	return err
}

func (c CLI) run(ctx context.Context, args ...string) (string, error) {
	return c.feed(ctx, "", args...)
}

func (c CLI) feed(ctx context.Context, stdin string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	command := c.Command
	if command == "" {
		command = "docker"
	}
	cmd := exec.CommandContext(ctx, command, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("docker %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}
