package kindenv

import (
	"context"
	"errors"
	"fmt"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// nodeImage is the image that is asked for for every node; empty when the
// kind config names its own.
func (e *Environment) nodeImage() string {
	switch {
	case e.cfg.NodeImage != "":
		return e.cfg.NodeImage
	case e.cfg.Cluster.NodeImage != "":
		return e.cfg.Cluster.NodeImage
	case len(e.shape.NodeImages) == 0:
		return kind.DefaultImage
	}
	return ""
}

// prepareNodeImages makes sure that the images of the cluster's containers are
// on the engine, and returns the one to create all nodes from (empty: those
// that the kind config names) with a look at each.
func (s *session) prepareNodeImages(ctx context.Context) (override string, images []nodeImage, err error) {
	wanted := s.nodeImage()
	refs := []string{wanted}
	if wanted == "" {
		refs = s.shape.NodeImages
		if s.shape.DefaultImage {
			refs = append(refs[:len(refs):len(refs)], kind.DefaultImage)
		}
	}
	for _, ref := range refs {
		image, err := s.ensure(ctx, "node image", ref, "NodeImage")
		if err != nil {
			return "", nil, err
		}
		if image.ref != ref {
			if wanted == "" {
				return "", nil, fmt.Errorf("node image %q of ConfigFile %q is not there, and ResolveImage gave %q: name that in NodeImage or in the file",
					ref, s.cfg.ConfigFile, image.ref)
			}
			wanted = image.ref
		}
		images = append(images, image)
	}
	if s.shape.ControlPlanes > 1 {
		if err := s.ensureFront(ctx); err != nil {
			return "", nil, err
		}
	}
	return wanted, images, nil
}

// ensureFront fetches the image of kind's load balancer, which kind names itself.
func (s *session) ensureFront(ctx context.Context) error {
	got, err := s.ensure(ctx, "image of the load balancer before several control planes", kind.LoadBalancerImage, "a single control plane")
	if err == nil && got.ref != kind.LoadBalancerImage {
		err = fmt.Errorf("kind runs %q before several control planes and no other, but ResolveImage gave %q: tag it so", kind.LoadBalancerImage, got.ref)
	}
	return err
}

// nodeImage is an image on the engine.
type nodeImage struct {
	ref     string
	version string // of Kubernetes, such as v1.37.0; empty when it can't be told
}

// ensure finds an image on the engine, pulls it, or has it resolved.
func (s *session) ensure(ctx context.Context, what, ref, instead string) (nodeImage, error) {
	image, err := s.eng.Image(ctx, ref)
	switch {
	case err == nil:
		return nodeImage{ref, kubernetesOf(ref, image)}, nil
	case errors.Is(err, engine.ErrUnsupported):
		return nodeImage{ref, kubernetesOf(ref, engine.Image{})}, nil // kind will see
	case !errors.Is(err, engine.ErrNotFound):
		return nodeImage{}, fmt.Errorf("look for %s %q: %w", what, ref, err)
	}
	pull := s.step(ctx, pulling(ref), func(ctx context.Context, step *progress.Step) error {
		return s.eng.Pull(ctx, ref, pullDetail(step))
	})
	if ctx.Err() != nil {
		return nodeImage{}, fmt.Errorf("pull %s %q: %w", what, ref, context.Cause(ctx))
	}
	if pull != nil {
		if ref, err = s.resolve(ctx, what, ref, instead, pull); err != nil {
			return nodeImage{}, err
		}
	}
	image, err = s.eng.Image(ctx, ref)
	if err != nil {
		return nodeImage{}, fmt.Errorf("look for %s %q: %w", what, ref, err)
	}
	return nodeImage{ref, kubernetesOf(ref, image)}, nil
}

// resolve asks ResolveImage for an image that could not be pulled.
func (s *session) resolve(ctx context.Context, what, ref, instead string, pull error) (string, error) {
	failed := fmt.Errorf("%s %q is not on the engine and can't be pulled: %w", what, ref, pull)
	if s.cfg.ResolveImage == nil {
		return "", fmt.Errorf("%w; %s, load or build it yourself, or configure another with %s", failed, remedy(pull), instead)
	}
	other, err := s.cfg.ResolveImage(ctx, ref)
	switch {
	case err != nil:
		return "", fmt.Errorf("%w; resolve it otherwise: %w", failed, err)
	case other == "":
		return "", fmt.Errorf("%w; ResolveImage knows no other", failed)
	}
	return other, nil
}

// remedy is what to do about an image that can't be pulled. Registries answer
// alike for what is private and for what does not exist.
func remedy(pull error) string {
	if errors.Is(pull, engine.ErrUnauthorized) {
		return "check the reference, log in to its registry with `docker login`"
	}
	return "check the reference and the way to its registry"
}
