package kindenv_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/lock"
)

func TestCommandsGiveTheLockBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
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
}
