//go:build unix

package kindenv_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// TestFilesAreTheOwnersAlone looks at everything below the cache folder, while an
// environment is made and after, whatever rights the process takes from new files.
func TestFilesAreTheOwnersAlone(t *testing.T) { // not parallel: a process has one umask
	for _, mask := range []int{0, 0o022, 0o077} {
		t.Run(fmt.Sprintf("umask %03o", mask), func(t *testing.T) {
			before := syscall.Umask(mask)
			defer syscall.Umask(before)
			w := newWorld(t)
			w.kind.Creating = func(context.Context, kind.CreateSpec) error {
				ownersAlone(t, w.CacheDir, 4) // locks with their holders, and the memory
				return nil
			}
			env := w.environment()
			w.up(env)
			ownersAlone(t, w.CacheDir, 4)
			mustBe(t, filepath.Join(w.home, ".kube", "config"), 0o600)
			w.up(w.environment(func(cfg *kindenv.Config) { cfg.Kubeconfig = "mine/kubeconfig" }))
			ownersAlone(t, filepath.Join(w.project, "mine"), 1)
		})
	}
}

// ownersAlone fails unless dir and all below it, which are at least that many
// files and folders, have no rights for others and those that they need for the owner.
func ownersAlone(t *testing.T, dir string, atLeast int) {
	t.Helper()
	found := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		found++
		if entry.IsDir() {
			mustBe(t, path, 0o700)
		} else {
			mustBe(t, path, 0o600)
		}
		return nil
	})
	if err != nil || found < atLeast {
		t.Errorf("found %d files and folders in %s (%v), want %d at least", found, dir, err, atLeast)
	}
}

func mustBe(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Error(err)
	} else if got := info.Mode().Perm(); got != want {
		t.Errorf("%s has mode %s, want %s", path, got, want)
	}
}

// TestCacheFolderOfOthersIsRefused: without a home folder it is in one for everyone.
func TestCacheFolderOfOthersIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shared := t.TempDir()
		if err := os.Chmod(shared, 0o777|fs.ModeSticky); err != nil {
			t.Fatal(err)
		}
		theirs := filepath.Join(shared, "magekind")
		if err := os.Symlink(t.TempDir(), theirs); err != nil {
			t.Fatal(err)
		}
		w := newWorld(t)
		w.CacheDir = theirs
		wantError(t, w.environment().Up(t.Context()), theirs, "somebody else's", "XDG_CACHE_HOME")
		if os.Geteuid() != 0 {
			return // only root can give a folder away
		}
		given := filepath.Join(shared, "given")
		if err := os.Mkdir(given, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(given, 12345, 12345); err != nil {
			t.Fatal(err)
		}
		w.CacheDir = given
		wantError(t, w.environment().Up(t.Context()), given, "somebody else's")
		if len(w.nodes()) > 0 {
			t.Error("a cluster was made")
		}
	})
}

// TestCacheFolderIsClosed when an earlier one was open to others.
func TestCacheFolderIsClosed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		if err := os.Mkdir(w.CacheDir, 0o755); err != nil {
			t.Fatal(err)
		}
		w.up(w.environment())
		mustBe(t, w.CacheDir, 0o700)
	})
}
