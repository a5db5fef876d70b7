package kubeconfig_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

func TestLocks(t *testing.T) {
	t.Parallel()
	t.Run("stale", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "config")
		write(t, path, theirs)
		write(t, path+".lock", "")
		old := time.Now().Add(-3 * time.Hour)
		if err := os.Chtimes(path+".lock", old, old); err != nil {
			t.Fatal(err)
		}
		_, err := kubeconfig.Merge(t.Context(), []string{path}, ours("x", "https://127.0.0.1:1"))
		fails(t, err, path+".lock", "3h0m", "delete that file")
		if strings.Contains(err.Error(), "gave up") {
			t.Errorf("waited for a stale lock: %v", err)
		}
		equal(t, read(t, path), theirs)
		onlyFiles(t, filepath.Dir(path), "config", "config.lock") // it may be in use all the same
		if err := kubeconfig.Remove(t.Context(), path, "kind-x"); err != nil {
			t.Errorf("nothing to remove, but got error %v", err)
		}
	})
	t.Run("in use", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "config")
		write(t, path, theirs)
		write(t, path+".lock", "")
		merged := make(chan struct{})
		go func() {
			defer close(merged)
			if _, err := kubeconfig.Merge(t.Context(), []string{path}, ours("x", "https://127.0.0.1:1")); err != nil {
				t.Error(err)
			}
		}()
		select {
		case <-merged:
			t.Error("merged into a locked file")
		case <-time.After(100 * time.Millisecond):
		}
		equal(t, read(t, path), theirs)
		if err := os.Remove(path + ".lock"); err != nil {
			t.Fatal(err)
		}
		<-merged
		onlyFiles(t, filepath.Dir(path), "config")
	})
}

func TestLinksHaveTwoLocks(t *testing.T) {
	t.Parallel()
	for _, held := range []string{"config", "link"} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "config"), theirs)
		if err := os.Symlink("config", filepath.Join(dir, "link")); err != nil {
			t.Skip(err)
		}
		lock := filepath.Join(dir, held) + ".lock"
		write(t, lock, "")
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(lock, old, old); err != nil {
			t.Fatal(err)
		}
		_, err := kubeconfig.Merge(t.Context(), []string{filepath.Join(dir, "link")}, ours("x", "https://127.0.0.1:1"))
		fails(t, err, lock)
		equal(t, read(t, filepath.Join(dir, "config")), theirs)
		onlyFiles(t, dir, slices.Sorted(slices.Values([]string{"config", held + ".lock", "link"}))...)
	}
}

// TestWaitsForTheLiving: a magekind that is alive is waited for, and named.
func TestWaitsForTheLiving(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, theirs)
	release, err := kubeconfig.Hold(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour) // which does not make it dead
	if err := os.Chtimes(path+".lock", old, old); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		_, err := kubeconfig.Merge(t.Context(), []string{path}, ours("x", "https://127.0.0.1:1"))
		fails(t, err, path+".lock", "gave up after 15s", fmt.Sprintf("process %d on ", os.Getpid()))
		if strings.Contains(err.Error(), "delete that file") {
			t.Errorf("advises to delete the lock of a process that is alive: %v", err)
		}
	})
	equal(t, read(t, path), theirs)
	if err := release(); err != nil {
		t.Fatal(err)
	}
	merge(t, []string{path}, ours("x", "https://127.0.0.1:1"))
}

// TestGivesUp: so does a lock of kubectl's that is young and stays.
func TestGivesUp(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, theirs)
	write(t, path+".lock", "")
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		_, err := kubeconfig.Merge(t.Context(), []string{path}, ours("x", "https://127.0.0.1:1"))
		fails(t, err, path+".lock", "gave up after 15s", "delete that file")
		if waited := time.Since(begin); waited < 15*time.Second {
			t.Errorf("waited %s", waited)
		}
	})
	onlyFiles(t, filepath.Dir(path), "config", "config.lock")
}
