package enginetest

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/distribution/reference"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// ImageOption sets something of an image that is added to a [Fake].
type ImageOption func(*engine.Image)

// WithLabels gives an image labels.
func WithLabels(labels map[string]string) ImageOption {
	return func(image *engine.Image) { image.Labels = maps.Clone(labels) }
}

// WithImageID gives an image an ID; without it, the ID follows from the reference.
func WithImageID(id string) ImageOption {
	return func(image *engine.Image) { image.ID = id }
}

// AddImage adds an image to the engine. Adding a reference again replaces its image.
func (f *Fake) AddImage(ref string, opts ...ImageOption) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.images[normal(ref)] = newImage(ref, opts)
}

// AddRemoteImage adds an image to the registries that [Fake.Pull] finds images in.
func (f *Fake) AddRemoteImage(ref string, opts ...ImageOption) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.registry[normal(ref)] = newImage(ref, opts)
}

// RemoveImage removes a reference from the engine.
func (f *Fake) RemoveImage(ref string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.images, normal(ref))
}

// Image implements [engine.Images].
func (f *Fake) Image(ctx context.Context, ref string) (engine.Image, error) {
	if err := f.enter(ctx, "Image", ref); err != nil {
		return engine.Image{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.image(ref)
}

// Pull implements [engine.Images]. An image that no registry has is [engine.ErrNotFound].
func (f *Fake) Pull(ctx context.Context, ref string, progress func(engine.PullProgress)) error {
	if err := f.enter(ctx, "Pull", ref); err != nil {
		return err
	}
	if _, err := reference.ParseNormalizedNamed(ref); err != nil {
		return fmt.Errorf("pulling image %q: %w", ref, err)
	}
	f.mu.Lock()
	image, ok := f.registry[normal(ref)]
	f.mu.Unlock()
	if !ok {
		return fmt.Errorf("pulling image %q: %w: no registry has it", ref, engine.ErrNotFound)
	}
	if progress != nil {
		layer := digest(ref)[:12]
		progress(engine.PullProgress{Layer: layer, Status: "Downloading", Current: 1, Total: 2})
		progress(engine.PullProgress{Layer: layer, Status: "Pull complete"})
		progress(engine.PullProgress{Status: "Status: Downloaded newer image for " + ref})
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.images[normal(ref)] = image
	return nil
}

// NetworkIDs implements [engine.Networks].
func (f *Fake) NetworkIDs(ctx context.Context, name string) ([]string, error) {
	if err := f.enter(ctx, "NetworkIDs", name); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.named(name), nil
}

// named returns the IDs of the networks of that name. f.mu is held.
func (f *Fake) named(name string) []string {
	var ids []string
	for _, n := range f.networks {
		if n.name == name {
			ids = append(ids, n.id)
		}
	}
	return ids
}

// network returns the ID of the one network of that name, or nothing. f.mu is held.
func (f *Fake) network(name string) string {
	if ids := f.named(name); len(ids) == 1 {
		return ids[0]
	}
	return ""
}

// image finds a local image by reference or ID. f.mu is held.
func (f *Fake) image(ref string) (engine.Image, error) {
	if image, ok := f.images[normal(ref)]; ok {
		return image, nil
	}
	for _, image := range f.images {
		if image.ID == ref || strings.TrimPrefix(image.ID, "sha256:") == ref {
			return image, nil
		}
	}
	return engine.Image{}, fmt.Errorf("%w: no image %q", engine.ErrNotFound, ref)
}

func newImage(ref string, opts []ImageOption) engine.Image {
	image := engine.Image{ID: "sha256:" + digest(normal(ref)), Labels: map[string]string{}}
	for _, opt := range opts {
		opt(&image)
	}
	return image
}

// normal spells out what a reference leaves to defaults (docker.io/library/, :latest).
func normal(ref string) string {
	named, err := reference.ParseDockerRef(ref)
	if err != nil {
		return ref
	}
	return named.String()
}
