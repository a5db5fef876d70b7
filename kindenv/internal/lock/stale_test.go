package lock_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/magekind/magekind/kindenv/internal/lock"
)

const dead = "process 1 (mage env:up), since 2020-01-01 00:00:00"

// leave writes what a process leaves that dies while it holds the lock.
func leave(t *testing.T, path string) {
	t.Helper()
	_ = os.Remove(path + ".holder")
	for _, name := range []string{path, path + ".holder", path + ".holder.new"} {
		if err := os.WriteFile(name, []byte(dead), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLockOfTheDeadIsTakenAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "locks", "x.lock")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	leave(t, path)
	l := acquire(t, path, func(holder string) { t.Errorf("waits for %s", holder) })
	if raw, err := os.ReadFile(path + ".holder"); err != nil || !strings.HasPrefix(string(raw), fmt.Sprintf("process %d ", os.Getpid())) {
		t.Errorf("the holder is %q (%v), want this process", raw, err)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
	wantNothingLeft(t, path)
}

func TestTheDeadAreNotShownAsHolders(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	synctest.Test(t, func(t *testing.T) {
		held := acquire(t, path, nil)
		leave(t, path) // as if this process had not come to say who it is
		ctx, cancel := context.WithCancel(t.Context())
		_, err := lock.Acquire(ctx, path, func(holder string) {
			if !strings.Contains(holder, "did not say") {
				t.Errorf("waits for %q, which is dead", holder)
			}
			cancel()
		})
		if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), dead) {
			t.Errorf("got error %v, want %v, without the dead", err, context.Canceled)
		}
		if err := held.Release(); err != nil {
			t.Error(err)
		}
	})
}

func TestReleaseLeavesWhatIsAnothers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "locks", "x.lock")
	first := acquire(t, path, nil)
	if err := os.RemoveAll(filepath.Dir(path)); err != nil { // somebody clears the cache
		t.Fatal(err)
	}
	second := acquire(t, path, nil)
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	if l, ok := lock.Try(path); ok {
		_ = l.Release()
		t.Error("the lock is free while the second holds it")
	}
	if _, err := os.Stat(path + ".holder"); err != nil {
		t.Errorf("nothing says any more that the second holds it: %v", err)
	}
	if err := second.Release(); err != nil {
		t.Fatal(err)
	}
	wantNothingLeft(t, path)
}

func TestFolderStaysWithOtherLocksInIt(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "locks")
	first := acquire(t, filepath.Join(dir, "x.lock"), nil)
	second := acquire(t, filepath.Join(dir, "y.lock"), nil)
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 2 {
		t.Errorf("there are %q (%v), want the other lock's files", left, err)
	}
	if err := second.Release(); err != nil {
		t.Fatal(err)
	}
	wantNothingLeft(t, filepath.Join(dir, "x.lock"))
}

func TestErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		err  error
		want string
	}{
		"another user's":      {&fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}, "another user"},
		"read-only":           {&fs.PathError{Op: "mkdir", Path: "x", Err: syscall.EROFS}, "read-only"},
		"a file":              {&fs.PathError{Op: "mkdir", Path: "x", Err: syscall.ENOTDIR}, "remove or rename it"},
		"no locks":            {syscall.ENOLCK, "network file systems"},
		"no such system call": {syscall.ENOSYS, "network file systems"},
		"not supported":       {syscall.EOPNOTSUPP, "network file systems"},
		"something else":      {syscall.EIO, syscall.EIO.Error()},
	}
	for name, tt := range tests {
		err := lock.Explain("/cache/locks/x", tt.err)
		if !errors.Is(err, tt.err) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "/cache/locks/x") {
			t.Errorf("%s: got %v, want one with %q, the lock and the cause", name, err, tt.want)
		}
	}
}
