// Package engine says what magekind asks of a container engine, in neutral
// types: no type of a client library appears here. Package docker adapts
// engines that speak the Docker API (Docker and Podman); package enginetest
// has an in-memory Fake and the contract suite that every Engine passes.
//
// Capabilities that not every engine has are interfaces of their own
// ([LogStreamer], [Pauser], [Execer], [Historian],
// [Surveyor]), found by type assertion.
package engine

import (
	"context"
	"io"
	"time"
)

// Engine is what every backend provides.
type Engine interface {
	// Endpoint describes the engine, as it was found when the engine was opened.
	Endpoint() Endpoint
	Containers
	Images
	Networks
}

// Containers is the part of an [Engine] that concerns containers. Methods that
// take an id accept a container's ID or its name, and fail with [ErrNotFound]
// when there is no such container.
type Containers interface {
	// List returns the containers, running or not, that carry every one of
	// labels: an exact value, or any value where the wanted value is empty.
	// No labels: all containers. They are sorted by name. A container that
	// vanishes while it is being described is left out.
	List(ctx context.Context, labels map[string]string) ([]Container, error)
	// Create makes a container, copies spec.Files into it, and returns its ID
	// without starting it. It fails with [ErrConflict] when the name is taken,
	// and with [ErrNotFound] when the image or the network is absent; it never
	// pulls. When a file can't be copied, or ctx ends meanwhile, the container
	// is removed again.
	Create(ctx context.Context, spec Spec) (id string, err error)
	// Start starts a created or exited container; starting a running one is no
	// error. It fails with [ErrConflict] when the container is paused.
	Start(ctx context.Context, id string) error
	// Stop sends the stop signal, waits up to grace, then kills. Stopping a
	// container that does not run is no error. A container that is stopped
	// stays so, whatever its restart policy; only Podman, when it is asked
	// between two runs, goes on restarting until the container is removed.
	Stop(ctx context.Context, id string, grace time.Duration) error
	// Kill sends SIGKILL. Killing a container that does not run is no error.
	Kill(ctx context.Context, id string) error
	// Remove removes a container and its anonymous volumes, killing it if it
	// runs or is paused. Where a removal is under way already, it waits for its end.
	Remove(ctx context.Context, id string) error
}

// Images is the part of an [Engine] that concerns images.
type Images interface {
	// Image describes a local image by reference or ID; [ErrNotFound] when it is absent.
	Image(ctx context.Context, ref string) (Image, error)
	// Pull fetches ref with the host's registry credentials. A failure that
	// the registry reports half-way is an error. progress may be nil; it is
	// called from one goroutine at a time.
	Pull(ctx context.Context, ref string, progress func(PullProgress)) error
}

// Networks is the part of an [Engine] that concerns networks.
type Networks interface {
	// NetworkIDs returns the IDs of the networks with exactly this name: none,
	// one, or, after a race that the Docker API allows, several.
	NetworkIDs(ctx context.Context, name string) ([]string, error)
}

// LogStreamer is implemented by engines that can stream a container's output.
type LogStreamer interface {
	// Logs writes the container's output, stdout and stderr as they come, to out.
	// With opts.Follow it goes on until the container ends, also when it is
	// restarted then (nil), or ctx is done (its error). A container that never
	// started has no output.
	Logs(ctx context.Context, id string, opts LogOptions, out io.Writer) error
}

// Pauser is implemented by engines that can freeze a container.
type Pauser interface {
	// Pause freezes a running container; [ErrConflict] when it does not run or is paused.
	Pause(ctx context.Context, id string) error
	// Unpause thaws a paused container; [ErrConflict] when it is not paused.
	Unpause(ctx context.Context, id string) error
}

// Execer is implemented by engines that can run a command in a container.
type Execer interface {
	// Exec runs command in a running container, writes its stdout and stderr
	// to out, and returns its exit code. It fails with [ErrConflict] when the
	// container does not run. When ctx is done it returns ctx's error; the
	// command may go on in the container.
	Exec(ctx context.Context, id string, command []string, out io.Writer) (exitCode int, err error)
}

// Surveyor is implemented by engines that can tell of all containers in one
// call, which is quicker than a List where there are many, and does not wait for
// one that is stuck.
type Surveyor interface {
	// Survey returns all containers, running or not, with ID, name, image,
	// labels, command, state and, to the second, time of creation; the rest is
	// zero. They are sorted by name.
	Survey(ctx context.Context) ([]Container, error)
}

// Historian is implemented by engines that remember for a while how runs of
// containers ended. A container that runs again does not tell.
type Historian interface {
	// LastExit tells how the run of container before its current one ended, or
	// its last run when it does not run. ok is false when the engine does not
	// know, or no longer.
	LastExit(ctx context.Context, container Container) (exit Exit, ok bool, err error)
}
