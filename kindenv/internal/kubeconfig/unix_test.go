//go:build unix

package kubeconfig_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

// TestNoFileAtAll has a pipe, for everything that must be neither read nor
// replaced: KUBECONFIG=/dev/null and KUBECONFIG=<(…) are in use.
func TestNoFileAtAll(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Skip(err)
	}
	_, err := kubeconfig.Merge(t.Context(), []string{path}, ours("x", "https://127.0.0.1:1"))
	fails(t, err, path, "not a regular file")
	remove(t, []string{path}, "kind-x")
	if got := mode(t, path); got.Type() != fs.ModeNamedPipe {
		t.Errorf("it has become %s", got)
	}
	onlyFiles(t, filepath.Dir(path), "config")
}

// nobody makes this process one of a user who may do nothing, if it is root's.
func nobody() error {
	if os.Getuid() != 0 {
		return nil
	}
	const id = 65534
	return errors.Join(syscall.Setgroups(nil), syscall.Setgid(id), syscall.Setuid(id))
}

// TestAnotherUsersFolder: what the mode allows only others.
func TestAnotherUsersFolder(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		folder, file fs.FileMode
		want         string
	}{
		"folder": {0o555, 0o666, "permission denied"},
		"file":   {0o777, 0o644, "permission denied"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := refuge(t)
			path := filepath.Join(dir, "config")
			write(t, path, theirs)
			for at, mode := range map[string]fs.FileMode{path: test.file, dir: test.folder} {
				if err := os.Chmod(at, mode); err != nil {
					t.Fatal(err)
				}
			}
			if os.Getuid() != 0 && name == "file" {
				t.Skip("it is this user's, who can write it")
			}
			out, _ := process(t, "refused", dir, "x").CombinedOutput()
			if !strings.Contains(string(out), test.want) {
				t.Errorf("got %q, want %q in it", out, test.want)
			}
		})
	}
}

// refuge is a folder that every user can get at.
func refuge(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "kubeconfig")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = os.Chmod(dir, 0o700)
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}
