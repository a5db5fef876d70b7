package kubeapi

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Check is one condition of a ready cluster.
type Check struct {
	Name string // what is checked, such as "nodes ready"
	// Hint is the kubectl command that shows more, without kubectl itself and
	// flags that choose the cluster: "describe nodes".
	Hint string
	// Run returns nil when the condition holds, else an error that says what
	// was seen. It asks once: waiting is the caller's.
	Run func(ctx context.Context) error
}

// APIReady is the condition that the API server calls itself ready.
func (c *Client) APIReady() Check {
	return Check{Name: "API server ready", Hint: "get --raw /readyz?verbose", Run: c.Readyz}
}

// Readyz asks the API server whether it is ready. The error names the failing
// parts where the server tells them.
func (c *Client) Readyz(ctx context.Context) error {
	_, err := c.fetch(ctx, "/readyz")
	return err
}

// NodesReady is the condition that at least want nodes are there, and that all
// nodes are ready.
func (c *Client) NodesReady(want int) Check {
	run := func(ctx context.Context) error {
		nodes, err := c.Nodes(ctx)
		if err != nil {
			return err
		}
		return nodesReady(nodes, want)
	}
	return Check{Name: "nodes ready", Hint: "describe nodes", Run: run}
}

func nodesReady(nodes []Node, want int) error {
	ready := 0
	var reasons []string
	for _, n := range nodes {
		if n.Ready {
			ready++
		} else {
			reasons = append(reasons, n.Name+": "+n.Reason)
		}
	}
	if ready >= want && len(reasons) == 0 {
		return nil
	}
	if missing := want - len(nodes); missing > 0 {
		reasons = append(reasons, fmt.Sprintf("%d not registered yet", missing))
	}
	return fmt.Errorf("%d of %d nodes ready: %s", ready, max(want, len(nodes)), strings.Join(reasons, "; "))
}

const pathCoreDNS = "/apis/apps/v1/namespaces/kube-system/deployments/coredns"

// CoreDNS is the condition that the cluster's DNS can serve.
func (c *Client) CoreDNS() Check {
	run := func(ctx context.Context) error {
		var deployment struct {
			Status struct {
				Replicas          int         `json:"replicas"`
				AvailableReplicas int         `json:"availableReplicas"`
				Conditions        []condition `json:"conditions"`
			} `json:"status"`
		}
		if err := c.Get(ctx, pathCoreDNS, &deployment); err != nil {
			return err
		}
		status := deployment.Status
		available, found := find(status.Conditions, "Available")
		if found && available.holds() {
			return nil
		}
		return fmt.Errorf("deployment coredns has %d of %d replicas available: %s",
			status.AvailableReplicas, status.Replicas, available.describe("Available", found))
	}
	return Check{Name: "CoreDNS available", Hint: "-n kube-system describe deployment,pods -l k8s-app=kube-dns", Run: run}
}

// DefaultServiceAccount is the condition that pods can be created in the
// namespace default: without its ServiceAccount they are refused.
func (c *Client) DefaultServiceAccount() Check {
	run := func(ctx context.Context) error {
		var account struct{}
		return c.Get(ctx, "/api/v1/namespaces/default/serviceaccounts/default", &account)
	}
	return Check{Name: "default ServiceAccount present", Hint: "-n default get serviceaccounts", Run: run}
}

// IngressClass is the condition that the IngressClass name exists.
func (c *Client) IngressClass(name string) Check {
	run := func(ctx context.Context) error {
		var class struct{}
		err := c.Get(ctx, "/apis/networking.k8s.io/v1/ingressclasses/"+name, &class)
		if errors.Is(err, ErrNotFound) {
			return fmt.Errorf("IngressClass %q: %w", name, ErrNotFound)
		}
		return err
	}
	return Check{Name: "IngressClass present", Hint: "get ingressclasses", Run: run}
}
