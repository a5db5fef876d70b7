package kindenv_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/lock"
)

func TestCommandsGiveTheLockBack(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		env := w.environment()
		free := func(after string) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			held, err := lock.Acquire(ctx, env.LockFile(host), nil)
			if err != nil {
				t.Fatalf("after %s: %v", after, err)
			}
			if err := held.Release(); err != nil {
				t.Fatal(err)
			}
		}
		w.kind.Creating = func(context.Context, kind.CreateSpec) error { return errors.New("no CNI") }
		wantError(t, env.Up(t.Context()), "no CNI")
		free("a failed up")
		w.kind.Creating = nil
		w.up(env)
		free("up")
		if err := env.Down(t.Context()); err != nil {
			t.Fatal(err)
		}
		free("down")
	})
}

func TestCommandsLeaveNoLock(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		env := w.environment()
		for name, command := range map[string]func(context.Context) error{
			"up": env.Up, "down": env.Down,
			"load": func(ctx context.Context) error { return env.Load(ctx) },
		} {
			_ = command(t.Context()) // also one that fails
			if _, err := os.Stat(filepath.Dir(env.LockFile(host))); !os.IsNotExist(err) {
				t.Errorf("after %s the folder of the locks is there (%v)", name, err)
			}
		}
	})
}

func TestCacheFolderThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		spoil func(t *testing.T, path string) error
		want  string
	}{
		"a file": {func(_ *testing.T, path string) error { return os.WriteFile(path, nil, 0o600) }, "remove or rename it"},
		"not this user's": {func(t *testing.T, path string) error {
			if os.Getuid() == 0 {
				t.Skip("nothing is refused to root")
			}
			return os.Mkdir(path, 0o500)
		}, "another user"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				if err := tt.spoil(t, w.CacheDir); err != nil {
					t.Fatal(err)
				}
				for _, command := range []func(context.Context) error{w.environment().Up, w.environment().Down} {
					wantError(t, command(t.Context()), w.CacheDir, tt.want, "XDG_CACHE_HOME")
				}
				if got := w.nodes(); len(got) > 0 {
					t.Errorf("nodes were made: %v", got)
				}
			})
		})
	}
}
