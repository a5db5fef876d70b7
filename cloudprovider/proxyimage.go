package cloudprovider

import (
	"context"
	"fmt"
	"strings"

	"github.com/distribution/reference"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// dockerHub is the registry that the proxies' image comes from, and that
// Registry takes the place of.
const dockerHub = "docker.io"

// proxyImage is a remembered answer: which image a controller's image runs as proxies.
type proxyImage struct{ imageID, ref string }

// proxyImage returns the reference of the image that the controller will run
// as load balancers. Only the controller's image itself knows it.
func (c *Controller) proxyImage(ctx context.Context, ref string, image engine.Image) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.proxy.imageID != image.ID {
		answer, err := c.rememberedOrAsked(ctx, ref, image.ID)
		if err != nil {
			return "", err
		}
		c.proxy = proxyImage{image.ID, answer}
	}
	return mirrored(c.proxy.ref, c.cfg.Registry)
}

func (c *Controller) rememberedOrAsked(ctx context.Context, ref, imageID string) (string, error) {
	if answer, ok := recall(c.cfg.CacheDir, imageID); ok {
		return answer, nil
	}
	output, err := c.ask(ctx, ref)
	if err != nil {
		return "", fmt.Errorf("asking image %q which image it runs for load balancers: %w", ref, err)
	}
	answer, err := parseAnswer(output)
	if err != nil {
		return "", fmt.Errorf("asking image %q which image it runs for load balancers: %w", ref, err)
	}
	if err := remember(c.cfg.CacheDir, imageID, answer); err != nil {
		c.cfg.notice(fmt.Sprintf("The image for load balancers will be asked for again: %v.", err))
	}
	return answer, nil
}

// parseAnswer takes the last line, since log lines may come before it.
func parseAnswer(output string) (string, error) {
	var last string
	for line := range strings.Lines(output) {
		if line = strings.TrimSpace(line); line != "" {
			last = line
		}
	}
	if _, err := reference.ParseNormalizedNamed(last); err != nil {
		return "", fmt.Errorf("its answer %q is no image reference: %w", last, err)
	}
	return last, nil
}

// mirrored puts registry in docker.io's place, as the controller itself does.
func mirrored(ref, registry string) (string, error) {
	named, err := reference.ParseNormalizedNamed(ref)
	if err != nil {
		return "", fmt.Errorf("parsing image %q: %w", ref, err)
	}
	if registry == "" || reference.Domain(named) != dockerHub {
		return ref, nil
	}
	return registry + "/" + strings.TrimPrefix(named.String(), dockerHub+"/"), nil
}
