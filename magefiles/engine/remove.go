package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// remove takes everything away that an engine of our own consists of,
// containers first.
func (m *maker) remove(ctx context.Context) error {
	if !m.exists() {
		m.say("there is no engine of our own")
		return nil
	}
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		return fmt.Errorf("removing the engine in %q: only root on Linux can", m.dir)
	}
	m.wake(ctx)
	if m.pid() != 0 {
		if err := m.empty(ctx); err != nil {
			m.say("some of the engine's containers or networks are left: %v", err)
		}
		if err := m.stop(ctx); err != nil {
			return err
		}
	}
	if err := m.restoreLimits(inotifyDir); err != nil {
		return fmt.Errorf("setting the host's limits back: %w", err)
	}
	// the files last: as long as they are there, another call finishes what failed
	if err := errors.Join(m.removeRules(ctx), m.removeBridge(ctx)); err != nil {
		return fmt.Errorf("removing the engine: %w", err)
	}
	if err := m.removeFiles(mountTable); err != nil {
		return fmt.Errorf("removing the engine: %w", err)
	}
	m.say("removed the engine, its images and its bridge %s", m.bridge())
	return nil
}

// removeFiles deletes our files, and the folders if nothing else is in them.
func (m *maker) removeFiles(mounts string) error {
	ours := []string{m.run, m.dataRoot(), m.programs(), m.log(), m.lastLog()}
	for _, path := range ours {
		// never delete through a mount: what is mounted is not ours alone
		if err := unmountBelow(mounts, path); err != nil {
			return err
		}
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	for _, dir := range []string{m.dir, filepath.Dir(m.run)} {
		_ = os.Remove(dir) // not empty: somebody else's files
	}
	return nil
}

// exists says whether there is anything of an engine.
func (m *maker) exists() bool {
	if m.pid() != 0 {
		return true
	}
	for _, dir := range []string{m.dir, m.run} {
		if _, err := os.Lstat(dir); err == nil {
			return true
		}
	}
	return false
}

// wake starts an engine that was stopped or killed, since only dockerd knows
// its containers and networks, unless that would disturb the host's own
// engine. Without it their network devices would stay.
func (m *maker) wake(ctx context.Context) {
	if _, err := os.Stat(m.dataRoot()); err != nil || m.answers(ctx) == nil {
		return
	}
	err := m.refuseBeside(ctx, candidate{})
	if err == nil {
		err = m.start(ctx)
	}
	if err != nil {
		m.say("leaving the networks of the stopped engine: %v", err)
	}
}

// empty removes the containers, with their volumes, and the networks.
func (m *maker) empty(ctx context.Context) error {
	e, err := m.open(ctx, m.host())
	if err != nil {
		return err
	}
	defer e.Close()
	all, err := e.List(ctx, nil)
	errs := []error{err}
	for _, c := range all {
		errs = append(errs, e.Remove(ctx, c.ID))
	}
	networks, err := output(dockerCLI(ctx, m.host(), "network", "ls", "--quiet", "--filter", "type=custom"))
	if err == nil && networks != "" {
		_, err = output(dockerCLI(ctx, m.host(), append([]string{"network", "rm"}, strings.Fields(networks)...)...))
	}
	return errors.Join(append(errs, err)...)
}
