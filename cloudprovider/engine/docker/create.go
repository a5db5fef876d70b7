package docker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/mount"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// tidyUp is how long undoing may take once ctx is done.
const tidyUp = 10 * time.Second

// Create implements [engine.Containers].
func (e *Engine) Create(ctx context.Context, spec engine.Spec) (string, error) {
	id, err := e.create(ctx, spec)
	if err != nil {
		return "", fmt.Errorf("creating container %q: %w", spec.Name, err)
	}
	return id, nil
}

func (e *Engine) create(ctx context.Context, spec engine.Spec) (string, error) {
	network, err := e.network(ctx, spec.Network)
	if err != nil {
		return "", err
	}
	files, err := checked(spec)
	if err != nil {
		return "", err
	}
	// Giving up in the middle would leave a container whose ID nobody knows.
	making, cancel := outlive(ctx, tidyUp)
	defer cancel()
	made, err := ask(making, e, e.limits.work, func(ctx context.Context) (container.CreateResponse, error) {
		return e.api.ContainerCreate(ctx, config(spec), hostConfig(spec, network), nil, nil, spec.Name)
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", err
	}
	if err = ctx.Err(); err == nil && len(files) > 0 {
		err = e.copyFiles(ctx, made.ID, spec.ReadOnly, files)
	}
	if err != nil {
		return "", errors.Join(err, e.discard(ctx, made.ID))
	}
	return made.ID, nil
}

// network makes sure of the network: engines notice only at the start that it
// is missing, or that two have its name.
func (e *Engine) network(ctx context.Context, name string) (string, error) {
	if name == "" || name == engine.NoNetwork {
		return name, nil
	}
	switch ids, err := e.NetworkIDs(ctx, name); {
	case err != nil:
		return "", err
	case len(ids) == 0:
		return "", fmt.Errorf("%w: no network %q", engine.ErrNotFound, name)
	case len(ids) > 1:
		return "", fmt.Errorf("%w: %d networks are named %q: remove the unused ones", engine.ErrConflict, len(ids), name)
	}
	return name, nil
}

// discard removes a container that came to nothing, also when ctx is done.
func (e *Engine) discard(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyUp)
	defer cancel()
	return e.Remove(ctx, id)
}

func config(spec engine.Spec) *container.Config {
	return &container.Config{Image: spec.Image, Cmd: spec.Command, Env: spec.Env, Labels: spec.Labels, User: spec.User}
}

func hostConfig(spec engine.Spec, network string) *container.HostConfig {
	host := &container.HostConfig{
		NetworkMode:    container.NetworkMode(network),
		RestartPolicy:  container.RestartPolicy{Name: container.RestartPolicyMode(spec.Restart)},
		ReadonlyRootfs: spec.ReadOnly,
	}
	if spec.Unprivileged {
		host.CapDrop, host.SecurityOpt = []string{"ALL"}, []string{"no-new-privileges"}
	}
	for _, m := range spec.Mounts {
		host.Mounts = append(host.Mounts, mount.Mount{Type: mount.TypeBind, Source: m.Source, Target: m.Target, ReadOnly: m.ReadOnly})
	}
	if spec.ReadOnly {
		for _, folder := range folders(spec.Files) {
			// without a source it is anonymous, and goes when the container is removed
			host.Mounts = append(host.Mounts, mount.Mount{
				Type: mount.TypeVolume, Target: folder, VolumeOptions: &mount.VolumeOptions{Labels: spec.Labels},
			})
		}
	}
	return host
}

// outlive returns a ctx that ends the given time after ctx does.
func outlive(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(by):
			cancel()
		case <-longer.Done():
		}
	})
	return longer, func() { stop(); cancel() }
}
