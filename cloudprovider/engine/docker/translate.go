package docker

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/client"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

// translate gives an error of the client its class in package engine, and
// keeps the error itself beside it. Errors of a ctx stay what they are.
func translate(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var done *failure
	if errors.As(err, &done) {
		return err
	}
	classes := []error{classify(err)}
	// what is wrong with a request may quote anything, such as "executable file not found"
	if classes[0] == nil && !errdefs.IsInvalidArgument(err) {
		classes[0] = byMessage(err.Error())
	}
	if strings.Contains(err.Error(), "may require 'docker login'") {
		// registries don't tell strangers whether an image is there
		classes = append(classes, engine.ErrUnauthorized)
	}
	return &failure{classes: classes, cause: err}
}

// classify goes by the response's status and by what became of the connection.
func classify(err error) error {
	switch {
	case errdefs.IsNotFound(err):
		return engine.ErrNotFound
	case errdefs.IsConflict(err):
		return engine.ErrConflict
	case errdefs.IsUnauthorized(err), errdefs.IsPermissionDenied(err):
		return engine.ErrUnauthorized
	case errdefs.IsNotImplemented(err):
		return engine.ErrUnsupported
	case errdefs.IsUnavailable(err), isLost(err):
		return engine.ErrUnavailable
	}
	return nil
}

// isLost says whether the connection to the engine could not be made, or broke.
func isLost(err error) bool {
	var network net.Error
	return client.IsErrConnectionFailed(err) || errors.As(err, &network) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// byMessage goes by what engines and registries say where the status says
// nothing: a pull that fails half-way, and conflicts that older engines and
// Podman report as internal errors.
func byMessage(message string) error {
	message = strings.ToLower(message)
	phrases := []struct {
		class error
		any   []string
	}{
		// first, since the rest of such a message may quote anything
		{engine.ErrNoSpace, []string{"no space left on device", "disk quota exceeded"}},
		{engine.ErrConflict, []string{
			"is not paused", "is already paused", "is not running", "container state improper", "name is already in use",
		}},
		{engine.ErrUnauthorized, []string{"unauthorized", "authentication required", "no basic auth credentials", "denied:"}},
		{engine.ErrNotFound, []string{"manifest unknown", "not found", "no such image", "no such container"}},
	}
	for _, p := range phrases {
		for _, phrase := range p.any {
			if strings.Contains(message, phrase) {
				return p.class
			}
		}
	}
	return nil
}

// failure is an error of the client with its classes. The first one names it,
// and is nil when there is none.
type failure struct {
	classes []error
	cause   error
}

// Error is the cause's text without what the client puts before every one.
func (f *failure) Error() string {
	text := redact.Text(strings.TrimPrefix(f.cause.Error(), "Error response from daemon: "))
	if f.classes[0] == nil {
		return text
	}
	text = f.classes[0].Error() + ": " + text
	if f.classes[0] == engine.ErrNoSpace { //nolint:errorlint // a class, not a chain
		text += "; `docker system df` says what takes the space, and `docker system prune` frees what nothing uses"
	}
	return text
}

// Is reports whether the error is of the class target.
func (f *failure) Is(target error) bool { return target != nil && slices.Contains(f.classes, target) }

func (f *failure) Unwrap() error { return f.cause }
