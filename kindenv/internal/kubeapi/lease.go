package kubeapi

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Leads is the condition that a part of the control plane, of which one at a
// time does the work, renews its lease to do so. It holds at the second look
// at the earliest, when the lease has been renewed since the first, and also
// where there is no such lease.
func (c *Client) Leads(part string) Check {
	first := ""
	run := func(ctx context.Context) error {
		var lease struct {
			Spec struct {
				RenewTime string `json:"renewTime"`
			} `json:"spec"`
		}
		err := c.Get(ctx, "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/"+part, &lease)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		renewed := lease.Spec.RenewTime
		if first == "" {
			first = renewed
		}
		if renewed == first {
			return fmt.Errorf("%s has not renewed its lease since %s", part, renewed)
		}
		return nil
	}
	return Check{Name: part + " at work", Hint: "-n kube-system logs -l component=" + part, Run: run}
}

// NodeReports is the condition that the kubelet of the node name has reported
// to the API server since a moment, which is of the same machine's clock.
func (c *Client) NodeReports(name string, since time.Time) Check {
	run := func(ctx context.Context) error {
		var lease struct {
			Spec struct {
				RenewTime time.Time `json:"renewTime"`
			} `json:"spec"`
		}
		if err := c.Get(ctx, "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/"+name, &lease); err != nil {
			return err
		}
		if renewed := lease.Spec.RenewTime; !renewed.After(since) {
			return fmt.Errorf("the kubelet of node %q last reported at %s, before the node was started again", name, renewed.Format(time.TimeOnly))
		}
		return nil
	}
	return Check{Name: "node " + name + " reporting", Hint: "describe node " + name, Run: run}
}
