package cloudprovider

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// Start makes sure that the controller runs as configured. A running one with
// the same settings, for the same cluster, is left alone. Any other is replaced.
// Start returns once the new one stays up and is past its first look at the
// engine; [Controller.Attached] tells when it serves the cluster. When Start
// fails, also because ctx is done, nothing of its own stays behind.
func (c *Controller) Start(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	seen, err := c.look(ctx)
	if err != nil {
		return err
	}
	spec, err := c.wanted(seen.cluster)
	if err != nil {
		return err
	}
	if len(seen.controllers) > 0 {
		why, err := c.outdated(ctx, seen, spec)
		if why == "" || err != nil {
			return err
		}
		c.noticeReplacement(ctx, seen, why)
	}
	for _, warning := range c.warnings(seen) {
		c.cfg.notice(warning)
	}
	if spec.Image, err = c.prepareImages(ctx); err != nil {
		return err
	}
	if err := c.checkNetwork(ctx); err != nil {
		return err
	}
	if err := c.clear(ctx, seen, spec); err != nil {
		return err
	}
	return c.launch(ctx, spec)
}

// noticeReplacement says why, with the last words of one that ended by itself: they go with it.
func (c *Controller) noticeReplacement(ctx context.Context, seen look, why string) {
	text := fmt.Sprintf("Making the cloud provider %q anew: %s", c.name(), why)
	if old := seen.controllers[0]; crashed(old) && !c.wasStopped(old) {
		text += "; " + c.lastLines(ctx, seen.controllers[0])
	}
	c.cfg.notice(text)
}

// launch creates and starts the container and waits for it. What it made, it removes when that fails.
func (c *Controller) launch(ctx context.Context, spec engine.Spec) error {
	id, err := c.eng.Create(ctx, spec)
	switch {
	case errors.Is(err, engine.ErrConflict):
		return fmt.Errorf("%w; the name %q is taken by a container that is not ours: remove or rename that one", err, spec.Name)
	case err == nil:
		err = c.startAndWait(ctx, id)
	}
	if err != nil {
		return errors.Join(c.explain(spec, err), c.undo(ctx))
	}
	return nil
}

func (c *Controller) startAndWait(ctx context.Context, id string) error {
	if err := c.eng.Start(ctx, id); err != nil {
		return err
	}
	return c.waitUp(ctx, id)
}

// explain adds to the error of a launch what was launched, and what to do where that is known.
func (c *Controller) explain(spec engine.Spec, err error) error {
	err = fmt.Errorf("running %q from image %q: %w", spec.Name, spec.Image, err)
	if source := spec.Mounts[0].Source; c.cfg.SocketPath == "" && strings.Contains(err.Error(), source) {
		return fmt.Errorf("%w; if the engine's socket is not at %q on the daemon's side, set SocketPath", err, source)
	}
	return err
}
