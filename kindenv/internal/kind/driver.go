package kind

import (
	"context"
	"fmt"
	osexec "os/exec"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/kind/pkg/cluster"
	"sigs.k8s.io/kind/pkg/cluster/nodes"
	"sigs.k8s.io/kind/pkg/log"
)

// The runtimes that kind knows how to drive.
const (
	Docker  = "docker"
	Podman  = "podman"
	Nerdctl = "nerdctl"
)

// Driver drives kind on one container runtime.
type Driver struct {
	runtime  string
	provider *cluster.Provider
	quiet    *cluster.Provider // says nothing
}

// New returns a Driver for runtime: [Docker], [Podman] or [Nerdctl] (kind
// itself also accepts "finch" there). It runs no command. logger may be nil.
func New(runtime string, logger log.Logger) (*Driver, error) {
	if logger == nil {
		logger = log.NoopLogger{}
	}
	option, err := providerOption(runtime)
	if err != nil {
		return nil, err
	}
	return &Driver{
		runtime:  runtime,
		provider: cluster.NewProvider(cluster.ProviderWithLogger(logger), option),
		quiet:    cluster.NewProvider(option),
	}, nil
}

// CheckRuntime refuses the names of runtimes that kind can't drive.
func CheckRuntime(runtime string) error {
	_, err := providerOption(runtime)
	return err
}

func providerOption(runtime string) (cluster.ProviderOption, error) {
	switch runtime {
	case Docker:
		return cluster.ProviderWithDocker(), nil
	case Podman:
		return cluster.ProviderWithPodman(), nil
	case Nerdctl, "finch":
		return cluster.ProviderWithNerdctl(runtime), nil
	}
	return nil, fmt.Errorf("runtime %q: kind knows docker, podman and nerdctl", runtime)
}

// Available says whether the runtime's command, through which kind works, is installed.
func (d *Driver) Available() error {
	if _, err := osexec.LookPath(d.runtime); err != nil {
		return fmt.Errorf("kind works through the %q command, which is not on PATH; install it (%s): %w",
			d.runtime, packageOf(d.runtime), err)
	}
	return nil
}

func packageOf(runtime string) string {
	switch runtime {
	case Docker:
		return "package docker-cli or docker-ce-cli; https://docs.docker.com/engine/install/"
	case Podman:
		return "https://podman.io/docs/installation"
	}
	return "https://github.com/containerd/nerdctl"
}

// List returns the clusters of which any node exists, half-created ones too, sorted.
func (d *Driver) List(ctx context.Context) ([]string, error) {
	ctx, cancel := d.limit(ctx, answerLimit)
	defer cancel()
	names, err := await(ctx, d.provider.List)
	if err != nil {
		return nil, explain("list clusters", err)
	}
	// kind counts a container without a value in its label as a cluster named ""
	return slices.DeleteFunc(names, func(name string) bool { return name == "" }), nil
}

// Nodes returns the names of a cluster's node containers, the load balancer's too, sorted.
func (d *Driver) Nodes(ctx context.Context, name string) ([]string, error) {
	found, err := d.nodes(ctx, name)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(found))
	for _, node := range found {
		names = append(names, node.String())
	}
	slices.Sort(names)
	return names, nil
}

func (d *Driver) nodes(ctx context.Context, name string) ([]nodes.Node, error) {
	ctx, cancel := d.limit(ctx, answerLimit)
	defer cancel()
	found, err := await(ctx, func() ([]nodes.Node, error) { return d.provider.ListNodes(name) })
	if err != nil {
		d.killCommands(ctx, name)
		return nil, explain(fmt.Sprintf("list nodes of cluster %q", name), err)
	}
	return found, nil
}

// Kubeconfig returns the kubeconfig of a cluster as it is reached from this
// machine. The error wraps [ErrNotSetUp] while there is no control plane that
// kubeadm has set up.
func (d *Driver) Kubeconfig(ctx context.Context, name string) ([]byte, error) {
	ctx, cancel := d.limit(ctx, answerLimit)
	defer cancel()
	raw, err := await(ctx, func() (string, error) { return d.provider.KubeConfig(name, false) })
	if err != nil {
		d.killCommands(ctx, name)
		return nil, explain(fmt.Sprintf("read the kubeconfig of cluster %q", name), err)
	}
	return []byte(strings.TrimSpace(raw) + "\n"), nil
}

const (
	answerLimit = 2 * time.Minute  // of what only looks something up
	deleteLimit = 10 * time.Minute // kind deletes all nodes with one command
)

// limit bounds a call of kind's, whose commands wait for an engine for ever.
func (d *Driver) limit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit,
		fmt.Errorf("the %s command, through which kind works, has not ended after %s: %w", d.runtime, limit, errStuck))
}

// await runs one of kind's calls, which know no context, and stops waiting for it when ctx is done.
func await[T any](ctx context.Context, call func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	if err := ctx.Err(); err != nil {
		var none T
		return none, context.Cause(ctx)
	}
	done := make(chan result, 1)
	go func() {
		value, err := call()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
