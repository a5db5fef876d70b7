package enginetest

import (
	"context"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// validName is the Docker API's rule for names.
var validName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_.-]+$`)

// shortID is how many digits of its ID name a container without a hostname.
const shortID = 12

// List implements [engine.Containers].
func (f *Fake) List(ctx context.Context, labels map[string]string) ([]engine.Container, error) {
	if err := f.enter(ctx, "List", describe(labels)); err != nil {
		return nil, err
	}
	for _, id := range f.restarting() {
		f.run(id, true)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []engine.Container
	for _, c := range f.containers {
		if c.matches(labels) {
			found = append(found, clone(c.Container))
		}
	}
	slices.SortFunc(found, func(a, b engine.Container) int { return strings.Compare(a.Name, b.Name) })
	return found, nil
}

// Survey implements [engine.Surveyor].
func (f *Fake) Survey(ctx context.Context) ([]engine.Container, error) {
	if err := f.enter(ctx, "Survey", ""); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []engine.Container
	for _, c := range f.containers {
		known := clone(c.Container)
		found = append(found, engine.Container{
			ID: known.ID, Name: known.Name, Image: known.Image, ImageID: known.ImageID, Labels: known.Labels,
			Command: known.Command, State: known.State, CreatedAt: known.CreatedAt.Truncate(time.Second),
		})
	}
	slices.SortFunc(found, func(a, b engine.Container) int { return strings.Compare(a.Name, b.Name) })
	return found, nil
}

// Create implements [engine.Containers].
func (f *Fake) Create(ctx context.Context, spec engine.Spec) (string, error) {
	if err := f.enter(ctx, "Create", spec.Name); err != nil {
		return "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	image, err := f.admit(spec)
	if err != nil {
		return "", fmt.Errorf("creating container %q: %w", spec.Name, err)
	}
	id := f.newID("container", spec.Name)
	if spec.Name == "" {
		spec.Name = fmt.Sprintf("fake-%d", f.made)
	}
	networkName := spec.Network
	if networkName == "" {
		networkName = "bridge"
	}
	f.faults.know(id, spec.Name)
	f.containers[id] = &container{
		Container: engine.Container{
			ID: id, Name: spec.Name, Hostname: id[:shortID], Image: spec.Image, ImageID: image.ID,
			Labels: inherit(image.Labels, spec.Labels), Command: slices.Clone(spec.Command),
			State: engine.Created, CreatedAt: time.Now().UTC(),
			Networks: []engine.Attachment{{Network: networkName}},
		},
		spec: spec, number: f.made + 1, network: f.network(networkName), changed: make(chan struct{}),
	}
	return id, nil
}

// admit refuses what an engine refuses. f.mu is held.
func (f *Fake) admit(spec engine.Spec) (engine.Image, error) {
	image, err := f.image(spec.Image)
	if err != nil {
		return image, err
	}
	if spec.Name != "" {
		if !validName.MatchString(spec.Name) {
			return image, fmt.Errorf("invalid name, want %s", validName)
		}
		if c, err := f.find(spec.Name); err == nil {
			return image, fmt.Errorf("%w: the name is in use by container %s", engine.ErrConflict, c.ID)
		}
	}
	for _, file := range spec.Files {
		if !strings.HasPrefix(file.Path, "/") {
			return image, fmt.Errorf("file %q: the path is not absolute", file.Path)
		}
		if spec.ReadOnly && path.Dir(file.Path) == "/" {
			return image, fmt.Errorf("file %q: the root folder is read-only", file.Path)
		}
	}
	if spec.Network == "" || spec.Network == engine.NoNetwork {
		return image, nil
	}
	switch n := len(f.named(spec.Network)); n {
	case 0:
		return image, fmt.Errorf("%w: no network %q", engine.ErrNotFound, spec.Network)
	case 1:
		return image, nil
	default:
		return image, fmt.Errorf("%w: %d networks are named %q", engine.ErrConflict, n, spec.Network)
	}
}

// inherit lays a container's labels over its image's, as engines do.
func inherit(image, own map[string]string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, image)
	maps.Copy(all, own)
	return all
}
