package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// wrapper is a name for today's OCI runtime wrapper that stays the same, so
// that a new wrapper is no new setting of the engine.
func (l layout) wrapper() string { return filepath.Join(l.programs(), "runc-bounded") }

// ensureWrapper compiles the wrapper unless it is there, and returns the program's own path.
func (l layout) ensureWrapper(ctx context.Context) (string, error) {
	source, err := newProgram("bounded")
	if err != nil {
		return "", err
	}
	path, err := source.compile(ctx, l.programs(), runtime.GOARCH)
	if err != nil {
		return "", err
	}
	if to, err := os.Readlink(l.wrapper()); err == nil && to == filepath.Base(path) {
		return path, nil
	}
	next := l.wrapper() + ".next"
	if err := os.RemoveAll(next); err != nil {
		return "", fmt.Errorf("naming the wrapper: %w", err)
	}
	if err := os.Symlink(filepath.Base(path), next); err != nil {
		return "", fmt.Errorf("naming the wrapper: %w", err)
	}
	if err := os.Rename(next, l.wrapper()); err != nil {
		return "", fmt.Errorf("naming the wrapper: %w", err)
	}
	return path, nil
}
