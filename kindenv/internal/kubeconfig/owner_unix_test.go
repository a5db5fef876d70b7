//go:build unix

package kubeconfig_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestMergeKeepsTheOwner: a run as root must not take the user's file away.
func TestMergeKeepsTheOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can write another user's file and stay able to")
	}
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, theirs)
	if err := os.Chown(path, 1234, 2345); err != nil {
		t.Skipf("this user can't give files away: %v", err)
	}
	merge(t, []string{path}, ours("x", "https://127.0.0.1:1"))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Sys().(*syscall.Stat_t); got.Uid != 1234 || got.Gid != 2345 {
		t.Errorf("got owner %d:%d, want 1234:2345", got.Uid, got.Gid)
	}
}
