package docker

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// surroundings is what decides which engine is meant.
type surroundings struct {
	getenv func(string) string
	home   string
	goos   string
	kernel string // release of the kernel here; empty when unknown
	known  []candidate
	// patience is how long each engine may take to say that it is there.
	patience time.Duration
	limits   limits // of the calls that follow
}

const patience = 10 * time.Second

// candidate is a place where an engine may be.
type candidate struct {
	host   string
	source string // why it is a candidate
	tls    *tlsFiles
	chosen bool  // somebody asked for it: there is no going on without it
	err    error // why it can't even be tried
}

func thisHost() (surroundings, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return surroundings{}, fmt.Errorf("looking for a container engine: %w", err)
	}
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease") // Linux only
	s := surroundings{
		getenv: os.Getenv, home: home, goos: runtime.GOOS, kernel: strings.TrimSpace(string(release)), patience: patience,
		limits: usualLimits(),
	}
	s.known = s.sockets()
	return s, nil
}

// open takes the first candidate that answers and is of the kind wanted.
func (s surroundings) open(ctx context.Context, opts Options) (*Engine, error) {
	switch opts.Kind {
	case "", engine.Docker, engine.Podman:
	case engine.Containerd:
		return nil, fmt.Errorf("opening a %s engine: %w: it has no Docker API", opts.Kind, engine.ErrUnsupported)
	default:
		return nil, fmt.Errorf("engine kind %q: want %q or %q, or nothing for either", opts.Kind, engine.Docker, engine.Podman)
	}
	var failed []attempt
	for _, c := range s.candidates(opts) {
		e, err := s.try(ctx, c, opts.Kind)
		if err == nil {
			return e, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("looking for a container engine: %w", context.Cause(ctx))
		}
		failed = append(failed, attempt{c, err})
		if c.chosen {
			return nil, s.refused(ctx, failed, opts)
		}
	}
	return nil, unreachable(s.goos, failed, nil)
}

// refused explains that the engine asked for is not there, and names one that is.
func (s surroundings) refused(ctx context.Context, failed []attempt, opts Options) error {
	for _, c := range s.known {
		if slices.ContainsFunc(failed, func(a attempt) bool { return a.host == c.host }) {
			continue
		}
		if e, err := s.try(ctx, c, opts.Kind); err == nil {
			_ = e.Close()
			return unreachable(s.goos, failed, &e.endpoint)
		}
	}
	return unreachable(s.goos, failed, nil)
}

// candidates returns the places to look at, in order.
func (s surroundings) candidates(opts Options) []candidate {
	if opts.Host != "" {
		return []candidate{{host: opts.Host, source: "the host asked for", tls: s.envTLS(), chosen: true}}
	}
	var all []candidate
	if host := s.getenv("CONTAINER_HOST"); host != "" && opts.Kind == engine.Podman {
		all = append(all, candidate{host: host, source: "CONTAINER_HOST", chosen: true})
	}
	choice := opts.Kind != engine.Podman
	if host := s.getenv("DOCKER_HOST"); host != "" {
		all = append(all, candidate{host: host, source: "DOCKER_HOST", tls: s.envTLS(), chosen: choice})
	} else if c, ok := s.context(); ok {
		c.chosen = choice
		all = append(all, c)
	}
	for _, c := range s.known {
		if !slices.ContainsFunc(all, func(other candidate) bool { return other.host == c.host }) {
			all = append(all, c)
		}
	}
	return all
}

// configDir is the folder of the docker command's configuration.
func (s surroundings) configDir() string {
	if dir := s.getenv("DOCKER_CONFIG"); dir != "" {
		return dir
	}
	return filepath.Join(s.home, ".docker")
}
