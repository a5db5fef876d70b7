package kubeapi

import (
	"context"
	"fmt"
	"time"
)

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
