package lock_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/kindenv/internal/lock"
)

func ExampleAcquire() {
	folder, err := os.MkdirTemp("", "lock")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	l, err := lock.Acquire(context.Background(), filepath.Join(folder, "cluster.lock"), func(holder string) {
		fmt.Println("waiting for", holder)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("ours")
	fmt.Println(l.Release())
	// Output:
	// ours
	// <nil>
}

func acquire(t *testing.T, path string, waiting func(string)) *lock.Lock {
	t.Helper()
	l, err := lock.Acquire(t.Context(), path, waiting)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Release() })
	return l
}

func TestAcquireExcludes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "folder", "x.lock")
	var inside, entered atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			l, err := lock.Acquire(t.Context(), path, nil)
			if err != nil {
				t.Error(err)
				return
			}
			if n := inside.Add(1); n != 1 {
				t.Errorf("%d hold the lock", n)
			}
			entered.Add(1)
			time.Sleep(time.Millisecond)
			inside.Add(-1)
			if err := errors.Join(l.Release(), l.Release()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := entered.Load(); got != 8 {
		t.Errorf("%d got the lock, want 8", got)
	}
}

func TestAcquireOthersAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	acquire(t, filepath.Join(dir, "x.lock"), nil)
	acquire(t, filepath.Join(dir, "y.lock"), func(holder string) { t.Errorf("waits for %s", holder) })
}

func TestAcquireTellsHolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	first := acquire(t, path, nil)
	told := make(chan string, 10)
	second := make(chan *lock.Lock)
	go func() {
		l, err := lock.Acquire(t.Context(), path, func(holder string) { told <- holder })
		if err != nil {
			t.Error(err)
		}
		second <- l
	}()
	holder := <-told
	want := fmt.Sprintf("process %d (%s", os.Getpid(), filepath.Base(os.Args[0]))
	if !strings.HasPrefix(holder, want) || !strings.Contains(holder, "since 2") {
		t.Errorf("got holder %q, want %q… and since when", holder, want)
	}
	time.Sleep(300 * time.Millisecond) // several tries
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	l := <-second
	if err := first.Release(); err != nil { // once more, which must not touch what is the second's now
		t.Fatal(err)
	}
	if _, err := os.Stat(path + ".holder"); err != nil {
		t.Error(err)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
	if len(told) != 0 {
		t.Errorf("told again: %q", <-told)
	}
	if left, err := filepath.Glob(path + ".*"); err != nil || len(left) != 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

func TestAcquireTellsOfSilentHolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	synctest.Test(t, func(t *testing.T) {
		acquire(t, path, nil)
		if err := os.Remove(path + ".holder"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		begin := time.Now()
		_, err := lock.Acquire(ctx, path, func(holder string) {
			if waited := time.Since(begin); waited < time.Second || !strings.Contains(holder, "did not say") {
				t.Errorf("got holder %q after %s", holder, waited)
			}
			cancel()
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got error %v, want %v", err, context.Canceled)
		}
	})
}

func TestAcquireEndsWithContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	first := acquire(t, path, nil)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := lock.Acquire(ctx, path, func(string) { cancel() })
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), fmt.Sprint("process ", os.Getpid())) {
		t.Errorf("got error %v, want one that wraps %v and names the lock and its holder", err, context.Canceled)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	acquire(t, path, nil) // who gave up holds nothing
}

func TestAcquireNeedsFolder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := lock.Acquire(t.Context(), filepath.Join(file, "x.lock"), nil)
	if err == nil || !strings.Contains(err.Error(), "x.lock") || !strings.Contains(err.Error(), "remove or rename") {
		t.Errorf("got error %v, want one that names the lock and says what to do", err)
	}
}
