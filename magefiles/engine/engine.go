// Package engine makes sure that this repository's own commands have a Docker
// engine that can run kind's nodes, which are privileged containers. It tries
// the engine that the environment points to by running such a container there.
// Where that fails, or where there is no engine, it starts one of its own
// (Linux, as root): a dockerd whose default runtime, the program in bounded/,
// leaves out the capabilities that the host can't give.
//
// The importable targets never use this package.
package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Options say where an engine of our own lives and where progress goes. The
// zero value works.
type Options struct {
	// Out gets a line for each thing that is done, or found to be unusual.
	// Nil: nothing is written.
	Out io.Writer
	// Dir holds the engine's data root (images survive there), its log, the
	// lock and the compiled helpers. Empty: magekind/engine in [os.UserCacheDir].
	Dir string
	// RunDir holds what need not survive a reboot: socket, pid file,
	// configuration and exec root, each engine in a folder named after its Dir.
	// Empty: /run/magekind.
	RunDir string
}

// Choice is the engine to use.
type Choice struct {
	// Host is its address, such as unix:///var/run/docker.sock.
	Host string
	// Own is true when the engine is one of our own: then DOCKER_HOST must be
	// Host for everything that is to meet it. Otherwise the environment
	// already points to the engine.
	Own bool
}

// Ensure returns an engine that can run kind nodes: the one that the
// environment points to (DOCKER_HOST, the current docker context, the
// well-known sockets), or else our own, started when it does not run yet. An
// own engine that runs comes before the well-known sockets, so that one
// command finds what another one made.
//
// It fails, and says what to do, when there is none and our own can't be made:
// not on Linux, not root, or when containers of the host's Docker engine run,
// whose iptables rules a second dockerd would rewrite. Concurrent calls wait
// for each other.
func Ensure(ctx context.Context, opts Options) (choice Choice, err error) {
	err = alone(ctx, opts, func(m *maker) error {
		choice, err = m.ensure(ctx)
		return err
	})
	return choice, err
}

func (m *maker) ensure(ctx context.Context) (Choice, error) {
	found, err := m.find(ctx)
	if err != nil {
		return Choice{}, err
	}
	if found.own {
		return m.reuse(ctx)
	}
	if found.host != "" {
		found.reason = m.probe(ctx, found.host)
		if found.reason == nil {
			return Choice{Host: found.host}, nil
		}
		if !errors.Is(found.reason, errCannotRun) {
			return Choice{}, found.reason
		}
		m.say("the engine at %q can't run kind nodes: %v", found.host, found.reason)
	}
	return m.make(ctx, found)
}

// Stop stops our own engine, and with it the containers that run there. Its
// images and containers are kept. Stopping an engine that does not run is no error.
func Stop(ctx context.Context, opts Options) error {
	return alone(ctx, opts, func(m *maker) error {
		if m.pid() == 0 {
			m.say("no engine of our own runs")
			return nil
		}
		return m.stop(ctx)
	})
}

// Remove removes all that [Ensure] made: the containers and networks of our
// own engine, the engine itself with its images, its bridge device and
// iptables rules, and the compiled helpers. Packages that were installed stay.
// Removing what is not there is no error.
func Remove(ctx context.Context, opts Options) error {
	return alone(ctx, opts, func(m *maker) error { return m.remove(ctx) })
}

// alone runs do while no other call changes our own engine.
func alone(ctx context.Context, opts Options, do func(*maker) error) error {
	m, err := newMaker(opts)
	if err != nil {
		return err
	}
	unlock, err := m.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return do(m)
}

// maker does the work, with the options resolved.
type maker struct {
	layout
	out io.Writer
	env func(string) string
	// open opens the engine at host; empty: the one that the environment points to.
	open func(ctx context.Context, host string) (client, error)
}

func newMaker(opts Options) (*maker, error) {
	l, err := newLayout(opts.Dir, opts.RunDir)
	if err != nil {
		return nil, err
	}
	out := opts.Out
	if out == nil {
		out = io.Discard
	}
	return &maker{layout: l, out: out, env: os.Getenv, open: open}, nil
}

// say reports progress; a writer that fails must not stop the work.
func (m *maker) say(format string, args ...any) {
	fmt.Fprintf(m.out, format+"\n", args...)
}
