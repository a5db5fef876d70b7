package cache_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/images/internal/cache"
)

func ExampleOpen() {
	results, err := cache.Open(filepath.Join(os.TempDir(), "results"))
	if err != nil {
		return
	}
	_, _ = results.Make("answer", "42", func(path string) error {
		return os.WriteFile(path, []byte("forty-two"), 0o644)
	})
}

func open(t *testing.T) (*cache.Cache, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "cache")
	c, err := cache.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c, dir
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return strings.Join(all, " ")
}

func TestMakeOnce(t *testing.T) {
	t.Parallel()
	c, dir := open(t)
	calls := 0
	for range 2 {
		path, err := c.Make("base", "1", func(path string) error {
			calls++
			return os.WriteFile(path, []byte("x"), 0o644)
		})
		if err != nil {
			t.Fatal(err)
		}
		if content, err := os.ReadFile(path); err != nil || string(content) != "x" {
			t.Errorf("got %q, %v", content, err)
		}
	}
	if calls != 1 {
		t.Errorf("made %d times, want once", calls)
	}
	if got, want := names(t, dir), "base-1"; got != want {
		t.Errorf("left in the cache: %q, want %q", got, want)
	}
}

func TestMakeFails(t *testing.T) {
	t.Parallel()
	c, dir := open(t)
	broken := errors.New("broken")
	_, err := c.Make("base", "1", func(path string) error {
		if err := os.WriteFile(path, []byte("half"), 0o644); err != nil {
			t.Error(err)
		}
		return broken
	})
	if !errors.Is(err, broken) || c.Has("base", "1") || names(t, dir) != "" {
		t.Errorf("got %v and %q in the cache, want nothing there", err, names(t, dir))
	}
}

func TestOldResultsGo(t *testing.T) {
	t.Parallel()
	c, dir := open(t)
	mkdir := func(path string) error { return os.Mkdir(path, 0o755) }
	for i, name := range []string{"a", "b"} {
		path, err := c.Make("base", name, mkdir)
		if err != nil {
			t.Fatal(err)
		}
		past := time.Now().Add(-time.Hour * time.Duration(2-i)) // b is the newer
		if err := os.Chtimes(path, past, past); err != nil {
			t.Fatal(err)
		}
	}
	for _, use := range []string{"a", "c"} { // a is used again: b is the oldest now
		if _, err := c.Make("base", use, mkdir); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Make("basement", "d", mkdir); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), "base-a base-c basement-d"; got != want {
		t.Errorf("left in the cache: %q, want %q", got, want)
	}
}

func TestLeftoversGo(t *testing.T) {
	t.Parallel()
	c, dir := open(t)
	scratch, err := c.Scratch("node")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(scratch, "left"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := c.Scratch("node")
	if err != nil || again != scratch || names(t, again) != "" {
		t.Errorf("got %q, %v with %q in it, want %q, empty", again, err, names(t, again), scratch)
	}
	if err := os.Mkdir(filepath.Join(dir, "unfinished-base"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = c.Make("base", "1", func(path string) error { return os.WriteFile(path, nil, 0o644) })
	if got, want := names(t, dir), "base-1 unfinished-node"; err != nil || got != want {
		t.Errorf("left in the cache: %q, %v, want %q", got, err, want)
	}
}

func TestPartsAreLockedByThemselves(t *testing.T) {
	t.Parallel()
	c, _ := open(t)
	for _, part := range []string{"node", "example"} {
		unlock, err := c.Lock(t.Context(), part, func(string) { t.Errorf("%s waits", part) })
		if err != nil {
			t.Fatal(err)
		}
		defer unlock()
	}
}

func TestLockWaits(t *testing.T) {
	t.Parallel()
	c, _ := open(t)
	unlock, err := c.Lock(t.Context(), "node", func(string) { t.Error("waits for nobody") })
	if err != nil {
		t.Fatal(err)
	}
	second := make(chan error)
	told := make(chan string, 1)
	go func() {
		release, err := c.Lock(t.Context(), "node", func(holder string) { told <- holder })
		if err == nil {
			err = release()
		}
		second <- err
	}()
	if holder := <-told; !strings.Contains(holder, "process ") {
		t.Errorf("told to wait for %q, want a process", holder)
	}
	select {
	case err := <-second:
		t.Fatalf("two have the lock, %v", err)
	default:
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if err := <-second; err != nil {
		t.Error(err)
	}
}

func TestLockIsGivenUp(t *testing.T) {
	t.Parallel()
	c, _ := open(t)
	unlock, err := c.Lock(t.Context(), "node", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	_, err = c.Lock(ctx, "node", func(string) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
