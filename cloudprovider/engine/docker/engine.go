// Package docker adapts engines that speak the Docker API, which are Docker
// (Engine 20.10 and later) and Podman, to package engine. It is the one package
// that sees the Docker client, and the one place where that client's errors
// become those of package engine.
//
// No call waits for ever for an engine that hangs. It has 30 s to look
// something up, 2 min to create, start, stop (beside the grace) or copy, and
// 5 min to remove; a pull may be silent for 10 min. While a pull, a log or a
// command's output is silent, the engine is pinged every 30 s. An engine that
// does not answer in that time is [engine.ErrUnavailable].
package docker

import (
	"context"
	"fmt"

	"github.com/docker/docker/client"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// Options says which engine to open. The zero value opens the one that the
// docker command would use, or else the first that answers.
type Options struct {
	// Host is the engine's endpoint: unix:///path, tcp://host:port or
	// npipe:////./pipe/name. Empty: the one in DOCKER_HOST; else that of the
	// current docker context (DOCKER_CONTEXT, or docker's configuration); else
	// the first well-known socket of Docker or Podman behind which an engine
	// answers. A host, a DOCKER_HOST or a context that is set is a choice: when
	// it does not answer, no other engine is taken in its place.
	Host string
	// Kind is the kind of engine wanted. Empty: any. With [engine.Podman],
	// CONTAINER_HOST comes before DOCKER_HOST, and neither DOCKER_HOST nor a
	// context keeps Podman's own sockets from being tried.
	// [engine.Containerd] has no Docker API: [engine.ErrUnsupported].
	Kind engine.Kind
}

// Engine is an engine that speaks the Docker API. Make one with [Open]. It is
// safe for concurrent use.
type Engine struct {
	api      *client.Client
	endpoint engine.Endpoint
	limits   limits
}

var (
	_ engine.Engine      = (*Engine)(nil)
	_ engine.LogStreamer = (*Engine)(nil)
	_ engine.Pauser      = (*Engine)(nil)
	_ engine.Execer      = (*Engine)(nil)
	_ engine.Historian   = (*Engine)(nil)
	_ engine.Surveyor    = (*Engine)(nil)
)

// Open finds an engine, asks it whether it is there and what it is, and agrees
// with it on a version of the API. When none answers, the error wraps
// [engine.ErrUnavailable] and says what was tried, why each failed, and how to
// start one. Close the engine after use.
func Open(ctx context.Context, opts Options) (*Engine, error) {
	host, err := thisHost()
	if err != nil {
		return nil, err
	}
	return host.open(ctx, opts)
}

// Close gives up the connections to the engine.
func (e *Engine) Close() error {
	if err := e.api.Close(); err != nil {
		return fmt.Errorf("closing the connection to %s: %w", e.endpoint.Host, err)
	}
	return nil
}

// Endpoint implements [engine.Engine].
func (e *Engine) Endpoint() engine.Endpoint { return e.endpoint }
