package kubeapi

import (
	"context"
	"errors"
	"fmt"
)

// GatewayClass is the condition that the GatewayClass name exists and that its
// controller accepted it.
func (c *Client) GatewayClass(name string) Check {
	run := func(ctx context.Context) error {
		var class struct {
			Status struct {
				Conditions []condition `json:"conditions"`
			} `json:"status"`
		}
		err := c.Get(ctx, "/apis/gateway.networking.k8s.io/v1/gatewayclasses/"+name, &class)
		if errors.Is(err, ErrNotFound) {
			return fmt.Errorf("GatewayClass %q: %w", name, ErrNotFound)
		}
		if err != nil {
			return err
		}
		accepted, found := find(class.Status.Conditions, "Accepted")
		if found && accepted.holds() {
			return nil
		}
		return fmt.Errorf("GatewayClass %q is not accepted: %s", name, accepted.describe("Accepted", found))
	}
	return Check{Name: "GatewayClass accepted", Hint: "describe gatewayclass " + name, Run: run}
}
