package cloudprovider

import (
	"context"
	"errors"
	"fmt"

	"github.com/distribution/reference"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// PrepareImages makes sure that the controller's image and the proxies' image
// are on the engine; it pulls what is absent and nothing else. Start does the
// same: call this before only to overlap it with other work.
func (c *Controller) PrepareImages(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	_, err := c.prepareImages(ctx)
	return err
}

// prepareImages returns the reference to create the controller from.
func (c *Controller) prepareImages(ctx context.Context) (string, error) {
	ref, image, err := c.ensureImage(ctx, c.cfg.Image)
	if err != nil {
		return "", fmt.Errorf("getting the cloud provider's image: %w", err)
	}
	proxy, err := c.proxyImage(ctx, ref, image)
	if err != nil {
		if ctx.Err() != nil {
			return "", err
		}
		c.cfg.notice(fmt.Sprintf("The image for load balancers can't be fetched ahead, so the first one may take longer: %v.", err))
		return ref, nil
	}
	return ref, c.ensureProxyImage(ctx, proxy)
}

// ensureProxyImage fetches the proxies' image. The controller would pull it
// without the host's credentials, and asks for it by this very name.
func (c *Controller) ensureProxyImage(ctx context.Context, proxy string) error {
	got, _, err := c.ensureImage(ctx, proxy)
	switch {
	case err != nil:
		return fmt.Errorf("getting the image for load balancers: %w", err)
	case got != proxy:
		return fmt.Errorf("getting the image for load balancers: ResolveImage gave %q, but the cloud provider runs %q and no other: tag it so", got, proxy)
	}
	return nil
}

// ensureImage returns the reference under which the image is on the engine:
// ref itself, or what ResolveImage gives for it.
func (c *Controller) ensureImage(ctx context.Context, ref string) (string, engine.Image, error) {
	image, err := c.eng.Image(ctx, ref)
	if err == nil {
		return ref, image, nil
	}
	if !errors.Is(err, engine.ErrNotFound) {
		return "", engine.Image{}, err
	}
	pull := c.pull(ctx, ref)
	if pull == nil {
		image, err = c.eng.Image(ctx, ref)
		return ref, image, err
	}
	if ctx.Err() != nil || c.cfg.ResolveImage == nil {
		return "", engine.Image{}, pull
	}
	return c.resolve(ctx, ref, pull)
}

// resolve asks ResolveImage for an image that could not be pulled.
func (c *Controller) resolve(ctx context.Context, ref string, pull error) (string, engine.Image, error) {
	resolved, err := c.cfg.ResolveImage(ctx, ref)
	if err != nil {
		return "", engine.Image{}, errors.Join(pull, fmt.Errorf("resolving image %q otherwise: %w", ref, err))
	}
	image, err := c.eng.Image(ctx, resolved)
	if err != nil {
		return "", engine.Image{}, errors.Join(pull, fmt.Errorf("using what ResolveImage gave: %w", err))
	}
	return resolved, image, nil
}

func (c *Controller) pull(ctx context.Context, ref string) error {
	var progress func(engine.PullProgress)
	if c.cfg.Progress != nil {
		progress = func(step engine.PullProgress) { c.cfg.Progress(ref, step) }
	}
	err := c.eng.Pull(ctx, ref, progress)
	switch {
	case err == nil, ctx.Err() != nil:
		return err
	}
	return fmt.Errorf("%w; it is not on the engine: %s", err, remedy(ref, err))
}

// remedy says what to do about a failed pull.
func remedy(ref string, err error) string {
	login := "log in with: docker login " + domain(ref)
	otherwise := fmt.Sprintf("check the name and the way to %s, load the image by hand (docker load), or set Image, Registry or ResolveImage", domain(ref))
	switch {
	case !errors.Is(err, engine.ErrUnauthorized):
		return otherwise
	case errors.Is(err, engine.ErrNotFound): // it may be either
		return login + "; or " + otherwise
	}
	return login
}

func domain(ref string) string {
	named, err := reference.ParseNormalizedNamed(ref)
	if err != nil {
		return "its registry"
	}
	return reference.Domain(named)
}
