package cloudprovider

import (
	"context"
	"errors"
	"io"
	"time"
)

// Run is the controller in the foreground: it starts it if necessary, writes
// its log to out until ctx is done or the controller ends, and stops it.
func (c *Controller) Run(ctx context.Context, out io.Writer) error {
	if err := c.Start(ctx); err != nil {
		return err
	}
	err := c.Attach(ctx, out)
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.stopGrace+c.sweepBudget+runMargin)
	defer cancel()
	return errors.Join(err, c.Stop(ending))
}

// runMargin is for the engine's part of stopping.
const runMargin = 15 * time.Second
