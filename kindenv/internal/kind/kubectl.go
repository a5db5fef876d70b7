package kind

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"sigs.k8s.io/kind/pkg/cluster/constants"
	"sigs.k8s.io/kind/pkg/cluster/nodes"
	"sigs.k8s.io/kind/pkg/cluster/nodeutils"
	"sigs.k8s.io/kind/pkg/exec"
)

// Kubectl runs kubectl with the administrator's rights in the cluster's first
// control-plane node and returns its stdout. stdin may be nil.
func (d *Driver) Kubectl(ctx context.Context, name string, stdin io.Reader, args ...string) ([]byte, error) {
	node, err := d.controlPlane(ctx, name)
	if err != nil {
		return nil, err
	}
	var stdout, stderr bytes.Buffer
	cmd := node.CommandContext(ctx, "kubectl", append([]string{"--kubeconfig=/etc/kubernetes/admin.conf"}, args...)...)
	cmd = cmd.SetStdout(&stdout).SetStderr(&stderr)
	if stdin != nil {
		cmd = cmd.SetStdin(stdin)
	}
	if err := run(ctx, cmd); err != nil {
		return nil, explain(fmt.Sprintf("run kubectl %s in node %q", verb(args), node), err)
	}
	return stdout.Bytes(), nil
}

// run runs a command that was made with ctx and stops waiting for it when ctx is
// done: what a killed command leaves behind may keep its output open.
func run(ctx context.Context, cmd exec.Cmd) error {
	_, err := await(ctx, func() (struct{}, error) { return struct{}{}, cmd.Run() })
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func verb(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func (d *Driver) controlPlane(ctx context.Context, name string) (nodes.Node, error) {
	found, err := d.nodes(ctx, name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := d.limit(ctx, answerLimit)
	defer cancel()
	node, err := await(ctx, func() (nodes.Node, error) { return nodeutils.BootstrapControlPlaneNode(found) })
	if err != nil {
		d.killCommands(ctx, name)
		return nil, fmt.Errorf("find a control-plane node of cluster %q: %w", name, err)
	}
	return node, nil
}

// kubernetesNodes returns the nodes that run pods: all but the load balancer.
func (d *Driver) kubernetesNodes(ctx context.Context, name string) ([]nodes.Node, error) {
	found, err := d.nodes(ctx, name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := d.limit(ctx, answerLimit)
	defer cancel()
	inside, err := await(ctx, func() ([]nodes.Node, error) { return nodeutils.InternalNodes(found) })
	if err != nil {
		d.killCommands(ctx, name)
		return nil, explain(fmt.Sprintf("find the roles of cluster %q's nodes", name), err)
	}
	inside = slices.DeleteFunc(inside, func(n nodes.Node) bool {
		role, err := n.Role()
		return err == nil && role == constants.ExternalLoadBalancerNodeRoleValue
	})
	if len(inside) == 0 {
		return nil, fmt.Errorf("cluster %q has no nodes", name)
	}
	return inside, nil
}
