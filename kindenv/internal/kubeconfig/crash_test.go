//go:build unix

package kubeconfig_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKilledInTheMiddle kills writers at any moment of their work. What is there
// afterwards is whole, and the next writer neither waits nor leaves anything.
func TestKilledInTheMiddle(t *testing.T) {
	t.Parallel()
	const wanted, atMost = 6, 150 // kills with the lock held; of any kind
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, theirs)
	before := foreign(t, path)
	locked, halfway, kills := 0, 0, 0
	for ; locked < wanted && kills < atMost; kills++ {
		victim := process(t, "forever", path, "victim")
		begun(t, victim)
		if kills%2 == 0 { // on a busy machine most would come before it does anything
			appears(t, path+".lock")
		}
		time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond)
		if err := victim.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = victim.Wait()
		for _, name := range fileNames(t, filepath.Dir(path)) {
			switch {
			case name == "config.lock":
				locked++
			case strings.HasPrefix(name, ".config.magekind-"):
				halfway++
			}
		}
		same(t, foreign(t, path), before)
		if kills%2 == 0 {
			remove(t, []string{path}, "kind-victim")
		} else {
			merge(t, []string{path}, ours("next", "https://127.0.0.1:1"))
			remove(t, []string{path}, "kind-victim")
			remove(t, []string{path}, "kind-next")
		}
		same(t, foreign(t, path), before)
		onlyFiles(t, filepath.Dir(path), "config")
		if t.Failed() {
			break
		}
	}
	t.Logf("%d kills, %d of them with the lock held, %d with a temporary file", kills, locked, halfway)
	if locked < wanted {
		t.Errorf("only %d of %d kills hit a process that had the lock; want %d", locked, kills, wanted)
	}
}

// appears waits until a file is there.
func appears(t *testing.T, path string) {
	t.Helper()
	for _, err := os.Stat(path); err != nil && t.Context().Err() == nil; _, err = os.Stat(path) {
		time.Sleep(100 * time.Microsecond)
	}
}

// TestLocksOfTheDead: what only looks, because it has nothing to change, removes them too.
func TestLocksOfTheDead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, link := filepath.Join(dir, "config"), filepath.Join(dir, "link")
	write(t, path, theirs)
	if err := os.Symlink("config", link); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{path + ".lock", link + ".lock", filepath.Join(dir, ".config.magekind-1"), filepath.Join(dir, ".config.lock.magekind-2")} {
		write(t, name, "magekind: process 1 is writing the kubeconfig, since ever\n")
	}
	remove(t, []string{link}, "kind-x")
	onlyFiles(t, dir, "config", "link")
	equal(t, read(t, path), theirs)
}
