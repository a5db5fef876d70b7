package kubeconfig_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

func ExampleWrite() {
	folder, err := os.MkdirTemp("", "kubeconfig")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "cluster", "kubeconfig")
	if err := kubeconfig.Write(path, []byte("kind: Config\n")); err != nil {
		fmt.Println(err)
		return
	}
	info, err := os.Stat(path)
	fmt.Println(info.Mode(), err)
	// Output: -rw------- <nil>
}

func TestWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "b", "kubeconfig")
	for _, content := range []string{"one", "two"} {
		if err := kubeconfig.Write(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		equal(t, read(t, path), content)
	}
	if got := mode(t, filepath.Dir(path)).Perm(); got != 0o700 {
		t.Errorf("got mode %s of the folder, want 0700", got)
	}
	onlyFiles(t, filepath.Dir(path), "kubeconfig")
	fails(t, kubeconfig.Write(filepath.Join(path, "below", "a-file"), nil), "a-file")
	fails(t, kubeconfig.Write(filepath.Dir(path), nil), filepath.Dir(path))
	onlyFiles(t, filepath.Dir(filepath.Dir(path)), "b") // nothing is left of the attempt
}

func TestWriteIsNeverHalf(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	long := []byte(strings.Repeat("x", 1<<20))
	if err := kubeconfig.Write(path, long); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for range 20 {
			if err := kubeconfig.Write(path, long); err != nil {
				t.Error(err)
			}
		}
	})
	for range 40 {
		if got := len(read(t, path)); got != len(long) {
			t.Fatalf("read %d bytes of %d", got, len(long))
		}
	}
	all.Wait()
}

func TestMergeKeepsModeAndLinks(t *testing.T) {
	t.Parallel()
	for _, exists := range []bool{true, false} {
		dir := t.TempDir()
		target, link, linkToLink := filepath.Join(dir, "dotfiles", "kube"), filepath.Join(dir, "config"), filepath.Join(dir, "config2")
		if err := os.Mkdir(filepath.Dir(target), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join("dotfiles", "kube"), link); err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(link, linkToLink); err != nil {
			t.Fatal(err)
		}
		want := fs.FileMode(0o600)
		if exists {
			want = 0o640
			write(t, target, theirs)
			if err := os.Chmod(target, want); err != nil {
				t.Fatal(err)
			}
		}
		merge(t, []string{linkToLink}, ours("x", "https://127.0.0.1:1"))
		if mode(t, link)&fs.ModeSymlink == 0 || mode(t, linkToLink)&fs.ModeSymlink == 0 {
			t.Error("a link was replaced by a file")
		}
		if got := mode(t, target); got != want {
			t.Errorf("got mode %s, want %s", got, want)
		}
		if got := strings.Contains(read(t, target), "kind-x"); !got {
			t.Error("the target was not written")
		}
		onlyFiles(t, dir, "config", "config2", "dotfiles")
		onlyFiles(t, filepath.Dir(target), "kube")
	}
}

func TestMergeRefusesLoops(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	if err := os.Symlink(path, path); err != nil {
		t.Skip(err)
	}
	_, err := kubeconfig.Merge(t.Context(), []string{path}, ours("x", "https://127.0.0.1:1"))
	fails(t, err, path, "symbolic links")
}

func TestMergeRespectsReadOnly(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, theirs)
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	_, err := kubeconfig.Merge(t.Context(), []string{path}, ours("x", "https://127.0.0.1:1"))
	fails(t, err, path, "read-only")
	equal(t, read(t, path), theirs)
	onlyFiles(t, filepath.Dir(path), "config")
	if err := kubeconfig.Remove(t.Context(), path, "kind-x"); err != nil {
		t.Errorf("nothing to remove, but got error %v", err)
	}
}

func TestWriteBesideThoseWhoRemoveTheFolder(t *testing.T) {
	t.Parallel()
	shared := filepath.Join(t.TempDir(), "shared")
	own := filepath.Join(shared, "own")
	ctx, end := context.WithCancel(t.Context())
	var removers sync.WaitGroup
	for range 2 {
		removers.Go(func() {
			for ctx.Err() == nil {
				_ = os.Remove(shared) // refused while there is something in it
			}
		})
	}
	for range 30 {
		if err := kubeconfig.Write(filepath.Join(own, "file"), []byte("x")); err != nil {
			t.Error(err)
		}
		if err := os.RemoveAll(own); err != nil {
			t.Error(err)
		}
	}
	end()
	removers.Wait()
}
