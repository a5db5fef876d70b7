package cloudprovider

import "context"

// Renew replaces the controller although it may run as configured: a new one
// looks at every Service, and puts right whose load balancer is gone or has
// another address, which one that runs does only when the Service changes.
// The load balancers of Services that run go on serving meanwhile.
func (c *Controller) Renew(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	ours, err := c.find(ctx)
	if err != nil {
		return err
	}
	if err := c.removeAll(ctx, ours); err != nil {
		return err
	}
	return c.Start(ctx)
}
