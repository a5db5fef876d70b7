package kindtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// Create makes the node containers and returns a kubeconfig.
func (f *Fake) Create(ctx context.Context, spec kind.CreateSpec) (kubeconfig []byte, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("create cluster %q: %w", spec.Name, err)
		}
	}()
	if err := f.enter(ctx, "Create", spec.Name); err != nil {
		return nil, err
	}
	existing, err := f.nodes(ctx, spec.Name)
	if err != nil {
		return nil, err
	}
	if len(existing) > 0 {
		return nil, fmt.Errorf("node(s) already exist for a cluster with the name %q", spec.Name)
	}
	if err := f.ensureNetwork(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.created = append(f.created, spec)
	f.mu.Unlock()
	roles := f.Roles
	if len(roles) == 0 {
		roles = []string{kind.RoleControlPlane}
	}
	count := map[string]int{}
	for _, role := range roles {
		name := spec.Name + "-" + role
		if count[role]++; count[role] > 1 {
			name += strconv.Itoa(count[role])
		}
		f.SetUp(f.PutNamed(name, spec.Name, role, spec.Image))
	}
	if f.Creating != nil {
		if err := f.Creating(ctx, spec); err != nil {
			if spec.Failed != nil && ctx.Err() == nil {
				spec.Failed(ctx, err)
			}
			return nil, errors.Join(err, f.remove(context.WithoutCancel(ctx), spec.Name))
		}
	}
	return f.kubeconfig(spec.Name), nil
}

// ensureNetwork makes the network unless there is one. As with kind, others may
// come in between.
func (f *Fake) ensureNetwork(ctx context.Context) error {
	ids, err := f.engine.NetworkIDs(ctx, f.network())
	if err != nil || len(ids) > 0 {
		return err
	}
	if f.Networking != nil {
		if err := f.Networking(ctx); err != nil {
			return err
		}
	}
	f.engine.AddNetwork(f.network())
	return nil
}

// Delete removes the node containers.
func (f *Fake) Delete(ctx context.Context, name string) error {
	if err := f.enter(ctx, "Delete", name); err != nil {
		return err
	}
	return f.remove(ctx, name)
}

func (f *Fake) remove(ctx context.Context, name string) error {
	nodes, err := f.nodes(ctx, name)
	if err != nil {
		return err
	}
	for _, node := range nodes {
		if err := f.engine.Remove(ctx, node.ID); err != nil {
			return err
		}
	}
	return nil
}

// List returns the clusters of which any node exists, sorted.
func (f *Fake) List(ctx context.Context) ([]string, error) {
	if err := f.enter(ctx, "List", ""); err != nil {
		return nil, err
	}
	nodes, err := f.engine.List(ctx, map[string]string{kind.LabelCluster: ""})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, node := range nodes {
		if name := node.Labels[kind.LabelCluster]; name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Nodes returns the names of a cluster's node containers, sorted.
func (f *Fake) Nodes(ctx context.Context, name string) ([]string, error) {
	if err := f.enter(ctx, "Nodes", name); err != nil {
		return nil, err
	}
	nodes, err := f.nodes(ctx, name)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(nodes))
	for _, node := range nodes {
		names = append(names, node.Name)
	}
	slices.Sort(names)
	return names, nil
}

// Kubeconfig returns the cluster's kubeconfig, if kubeadm has made one.
func (f *Fake) Kubeconfig(ctx context.Context, name string) ([]byte, error) {
	if err := f.enter(ctx, "Kubeconfig", name); err != nil {
		return nil, err
	}
	node, err := f.controlPlane(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", kind.ErrNotSetUp, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if node.State != engine.Running {
		return nil, fmt.Errorf("node %q is %s", node.Name, node.State)
	}
	if content, lost := f.lost[node.ID]; lost && content != "" {
		return nil, fmt.Errorf("the kubeconfig of node %q is not one", node.Name)
	} else if lost || !f.setUp[node.ID] {
		return nil, fmt.Errorf("%w: node %q has no admin.conf", kind.ErrNotSetUp, node.Name)
	}
	return f.kubeconfig(name), nil
}

func (f *Fake) nodes(ctx context.Context, name string) ([]engine.Container, error) {
	return f.engine.List(ctx, map[string]string{kind.LabelCluster: name})
}

func (f *Fake) controlPlane(ctx context.Context, name string) (engine.Container, error) {
	nodes, err := f.nodes(ctx, name)
	if err != nil {
		return engine.Container{}, err
	}
	for _, node := range nodes {
		if node.Labels[kind.LabelRole] == kind.RoleControlPlane {
			return node, nil
		}
	}
	return engine.Container{}, fmt.Errorf("cluster %q has no control plane", name)
}

func (f *Fake) kubeconfig(name string) []byte {
	api := f.API
	if api == nil {
		api = &API{URL: f.server()}
	}
	return api.Kubeconfig(name)
}
