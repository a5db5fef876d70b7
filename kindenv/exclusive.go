package kindenv

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/magekind/magekind/kindenv/internal/lock"
)

// exclusively opens a session and runs do while no other process changes this environment.
func (e *Environment) exclusively(ctx context.Context, do func(context.Context, *session) error) (err error) {
	s, err := e.open(ctx, e.cfg.Out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close(err)) }()
	if err := keepPrivate(e.deps.cacheDir()); err != nil {
		return err
	}
	held, err := lock.Acquire(ctx, e.lockFile(s.eng.Endpoint().Host), func(holder string) {
		s.console.Note(fmt.Sprintf("Waiting for another command on environment %q: %s", e.name, holder))
	})
	if err != nil {
		return e.unlocked(ctx, err)
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	if err := e.takeOver(s.eng.Endpoint().Host); err != nil {
		return err
	}
	s.memory = recall(e.memoryFile())
	return do(ctx, s)
}

// unlocked explains why there is no lock.
func (e *Environment) unlocked(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("wait for other commands on environment %q: %w", e.name, err)
	}
	return fmt.Errorf("keep other commands off environment %q: %w; it is in this user's cache folder, which XDG_CACHE_HOME names on Linux", e.name, err)
}

// lockFile is per engine, as it was found, and cluster. It is there while a
// command holds it. Another user's commands hold one of their own.
func (e *Environment) lockFile(host string) string {
	return filepath.Join(e.deps.cacheDir(), "locks", digest(sameHost(host))+"-"+e.name)
}
