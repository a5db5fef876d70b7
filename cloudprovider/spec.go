package cloudprovider

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// spec describes the controller's container, still without its settings' label.
func (c *Controller) spec(at engine.Endpoint) (engine.Spec, error) {
	socket, err := c.socket(at)
	if err != nil {
		return engine.Spec{}, err
	}
	return engine.Spec{
		Name:    c.name(),
		Image:   c.cfg.Image,
		Command: c.arguments(at),
		Env:     c.environment(at),
		Labels:  c.ownLabels(RoleController),
		User:    "0", // file sharing with a VM loses the socket's group
		Network: c.cfg.Network,
		Mounts:  []engine.Mount{{Source: socket, Target: daemonSocket}},
		Files:   scopeFiles(c.cfg.ClusterName),
		Restart: engine.RestartUnlessStopped,
		// The socket is all that it needs. It writes no file, listens on high ports, and
		// user 0 needs no capability for what it owns. (Upstream would add addresses to
		// the loopback where it tunnels, in WSL2 and outside Linux; port mapping takes
		// the place of that, in a container anyway.)
		ReadOnly:     true,
		Unprivileged: true,
	}, nil
}

// wanted is the controller's container as the configuration and the cluster ask for it.
func (c *Controller) wanted(now cluster) (engine.Spec, error) {
	spec, err := c.spec(c.eng.Endpoint())
	if err != nil {
		return engine.Spec{}, err
	}
	spec.Labels[labelSettings] = settings(spec, now)
	return spec, nil
}

// settings is a hash of everything that a running controller would have to be
// replaced for, its cluster's identity included.
func settings(spec engine.Spec, now cluster) string {
	// strings, slices and maps: it can't fail
	encoded, _ := json.Marshal(struct {
		Spec  engine.Spec
		Nodes []string
	}{spec, now.ids()})
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:8])
}

// cluster is the control plane's containers; none when the cluster does not
// exist. They tell a cluster from a later one of the same name, which a running
// controller does not: it would keep the old one's certificates for ever.
type cluster []engine.Container

func (c *Controller) cluster(ctx context.Context) (cluster, error) {
	if c.cfg.ClusterName == "" {
		return nil, nil
	}
	nodes, err := c.listExactly(ctx, c.nodeLabels())
	if err != nil {
		return nil, fmt.Errorf("looking for the nodes of cluster %q: %w", c.cfg.ClusterName, err)
	}
	return nodes, nil
}

func (c *Controller) nodeLabels() map[string]string {
	return map[string]string{labelNodeCluster: c.cfg.ClusterName, labelNodeRole: roleControlPlane}
}

func (k cluster) ids() []string {
	ids := make([]string, 0, len(k))
	for _, node := range k {
		ids = append(ids, node.ID)
	}
	slices.Sort(ids)
	return ids
}

// outlived reports whether container is older than the cluster, and so belongs
// to an earlier one of the same name.
func (k cluster) outlived(container engine.Container) bool {
	for _, node := range k {
		if !container.CreatedAt.Before(node.CreatedAt) {
			return false
		}
	}
	return len(k) > 0
}
