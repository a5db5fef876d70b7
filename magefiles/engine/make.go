package engine

import (
	"context"
	"fmt"
	"os"
	"runtime"
)

// make starts our own engine in place of the one found, which can't be used.
func (m *maker) make(ctx context.Context, found candidate) (Choice, error) {
	if m.pid() != 0 {
		return m.reuse(ctx)
	}
	if err := obstacle(runtime.GOOS, os.Geteuid(), found); err != nil {
		return Choice{}, err
	}
	if err := m.refuseBeside(ctx, found); err != nil {
		return Choice{}, err
	}
	if err := m.install(ctx); err != nil {
		return Choice{}, err
	}
	if err := m.start(ctx); err != nil {
		return Choice{}, err
	}
	m.say("it stops with \"mage engine:stop\" and goes with \"mage engine:remove\"; its images stay in %s", m.dataRoot())
	return m.proven(ctx)
}

// reuse returns our own engine, which runs: as it is, or anew when its
// settings have changed and that disturbs nobody.
func (m *maker) reuse(ctx context.Context) (Choice, error) {
	if _, err := m.ensureWrapper(ctx); err != nil {
		return Choice{}, err
	}
	changed, err := m.changed()
	if err != nil {
		return Choice{}, err
	}
	if !changed {
		return m.proven(ctx)
	}
	names, err := m.running(ctx, m.host())
	if err != nil {
		return Choice{}, err
	}
	if len(names) > 0 {
		m.say("the engine's settings have changed; it keeps the old ones while its %d containers run (\"mage engine:stop\" ends them)", len(names))
		return m.proven(ctx)
	}
	m.say("the engine's settings have changed: restarting it")
	if err := m.stop(ctx); err != nil {
		return Choice{}, err
	}
	if err := m.start(ctx); err != nil {
		return Choice{}, err
	}
	return m.proven(ctx)
}

// proven returns our own engine once the probe has run there.
func (m *maker) proven(ctx context.Context) (Choice, error) {
	if err := m.probe(ctx, m.host()); err != nil {
		return Choice{}, fmt.Errorf("our own engine at %q can't be used (its log: %s; \"mage engine:remove\" removes it): %w", m.host(), m.log(), err)
	}
	return Choice{Host: m.host(), Own: true}, nil
}

// obstacle says why this user on this system can't have an engine of our own.
func obstacle(goos string, uid int, found candidate) error {
	var why string
	switch {
	case goos != "linux":
		why = "this repository can start one of its own only on Linux: start Docker Desktop or another Docker engine"
	case uid != 0:
		why = "this repository can start one of its own only as root: run this as root, or start a Docker engine that you may use"
	default:
		return nil
	}
	if found.host == "" {
		return fmt.Errorf("no container engine answers, and %s: %w", why, found.reason)
	}
	return fmt.Errorf("the engine at %q can't run kind nodes, and %s: %w", found.host, why, found.reason)
}

// refuseBeside fails when a Docker engine of the host has running containers:
// a second dockerd rewrites the iptables chains that make them reachable.
func (m *maker) refuseBeside(ctx context.Context, found candidate) error {
	for _, host := range m.neighbours(ctx, found) {
		names, err := m.running(ctx, host)
		if err != nil {
			return err
		}
		if len(names) == 0 {
			m.say("the Docker engine at %q is idle, so a second one can run beside it; "+
				"restart that engine before you use it again, since the two share iptables chains", host)
			continue
		}
		program, err := m.ensureWrapper(ctx)
		if err != nil {
			return err
		}
		return inUse(host, names, program, found.reason)
	}
	return nil
}
