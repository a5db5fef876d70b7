//go:build unix

package kubeconfig_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

// asKubectl changes a file as kubectl does: under the lock, which it does not
// wait for, and in place.
func asKubectl(path string, change func(old string) string) error {
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_EXCL, 0)
	if err != nil {
		return err
	}
	defer os.Remove(path + ".lock")
	_ = lock.Close()
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(change(string(old))), 0o600)
}

// TestEightProcessesAndKubectl has eight processes merge and remove, while
// another program writes as kubectl does. Nobody loses anything.
func TestEightProcessesAndKubectl(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, theirs)
	want := foreign(t, path)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if out, err := process(t, "2", path, fmt.Sprint("p", i)).CombinedOutput(); err != nil {
				t.Errorf("process %d: %v: %s", i, err, out)
			}
		})
	}
	ctx, stop := context.WithCancel(t.Context())
	written := make(chan int)
	go func() { written <- addContexts(ctx, t, path) }()
	all.Wait()
	stop()
	n := <-written
	contexts, _ := want["contexts"].([]any)
	for i := range n {
		added := map[string]any{"name": fmt.Sprint("tool-", i), "context": map[string]any{"cluster": "work"}}
		contexts = append([]any{added}, contexts...)
	}
	want["contexts"] = contexts
	same(t, foreign(t, path), want)
	if got := read(t, path); strings.Contains(got, "kind-p") {
		t.Errorf("entries are left:\n%s", got)
	}
	onlyFiles(t, filepath.Dir(path), "config")
	t.Logf("the other program wrote %d times", n)
}

// addContexts adds contexts to a file until ctx is done, and returns how many.
func addContexts(ctx context.Context, t *testing.T, path string) int {
	for n := 0; ; {
		err := asKubectl(path, func(old string) string {
			return strings.Replace(old, "\ncontexts:\n", fmt.Sprintf("\ncontexts:\n- name: tool-%d\n  context: {cluster: work}\n", n), 1)
		})
		switch {
		case err == nil:
			n++
		case !errors.Is(err, fs.ErrExist):
			t.Error(err)
			return n
		}
		if ctx.Err() != nil {
			return n
		}
		time.Sleep(10 * time.Millisecond) // as a user of kubectl would
	}
}

// TestUpdateAfterAnother has a program that ignores the lock write between our
// reading and our writing.
func TestUpdateAfterAnother(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, theirs)
	times := 0
	if err := kubeconfig.SetCurrent(path, "other", func() {
		if times++; times > 3 {
			return
		}
		changed := strings.Replace(read(t, path), "clusters:\n", fmt.Sprintf("clusters:\n- name: tool-%d\n", times), 1)
		write(t, path+".new", changed)
		if err := os.Rename(path+".new", path); err != nil {
			t.Error(err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(theirs, "clusters:\n", "clusters:\n- name: tool-3\n- name: tool-2\n- name: tool-1\n", 1)
	equal(t, read(t, path), strings.Replace(want, "current-context: work", "current-context: other", 1))
	onlyFiles(t, filepath.Dir(path), "config")
	fails(t, kubeconfig.SetCurrent(path, "never", func() {
		write(t, path, read(t, path)+"\n")
	}), "again and again")
}

// TestOverwriteIsUndone: that program wrote at the very last moment.
func TestOverwriteIsUndone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, theirs)
	done, err := kubeconfig.Overwrite(path, "ours", "what was read")
	if runtime.GOOS != "linux" {
		t.Skip("files can't be exchanged here")
	}
	if done || err != nil || read(t, path) != theirs {
		t.Errorf("got error %v and the file\n%s", err, read(t, path))
	}
	if done, err := kubeconfig.Overwrite(path, "ours", theirs); !done || err != nil || read(t, path) != "ours" {
		t.Errorf("done: %v, error %v, and the file\n%s", done, err, read(t, path))
	}
	onlyFiles(t, filepath.Dir(path), "config")
}

// TestRemoveWaitsForAWriter who is in the middle, and whose file has no entry of ours yet.
func TestRemoveWaitsForAWriter(t *testing.T) {
	t.Parallel()
	for _, half := range []string{"", "clusters:\n", "clusters: ["} {
		path := filepath.Join(t.TempDir(), "config")
		write(t, path, half)
		write(t, path+".lock", "")
		go func() {
			time.Sleep(100 * time.Millisecond)
			write(t, path, string(ours("x", "https://127.0.0.1:1")))
			if err := os.Remove(path + ".lock"); err != nil {
				t.Error(err)
			}
		}()
		remove(t, []string{path}, "kind-x")
		if got := read(t, path); strings.Contains(got, "kind-x") || !strings.Contains(got, "clusters: []") {
			t.Errorf("entries are left:\n%s", got)
		}
	}
}

// TestRemoveWhileOthersWrite all the time, so that every look finds half of the file.
func TestRemoveWhileOthersWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	whole := string(ours("x", "https://127.0.0.1:1"))
	write(t, path, whole)
	write(t, path+".lock", "")
	written := make(chan error, 1)
	go func() {
		for end := time.Now().Add(4 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
			_ = os.WriteFile(path, fmt.Appendf(nil, "# %d\n", time.Now().UnixNano()), 0o600)
		}
		written <- errors.Join(os.WriteFile(path, []byte(whole), 0o600), os.Remove(path+".lock"))
	}()
	remove(t, []string{path}, "kind-x")
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); strings.Contains(got, "kind-x") {
		t.Errorf("entries are left:\n%s", got)
	}
}

// TestMergeRefusesWhatItCantKeep: YAML that would be written as something else.
func TestMergeRefusesWhatItCantKeep(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, "?")
	_, err := kubeconfig.Merge(t.Context(), []string{path}, ours("x", "https://127.0.0.1:1"))
	fails(t, err, path, "can't be kept")
	equal(t, read(t, path), "?")
}
