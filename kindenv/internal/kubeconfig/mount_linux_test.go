package kubeconfig_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// mounted gives this process, which has mounts of its own, a file system at dir
// with a kubeconfig in it.
func mounted(how, dir string) error {
	if err := syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("mount: %w", err)
	}
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=8k"); err != nil {
		return fmt.Errorf("mount: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(theirs), 0o600); err != nil {
		return err
	}
	if how == "read-only" {
		return syscall.Mount("none", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
	}
	return nil // there is a page for the kubeconfig, and one for the lock: it is full then
}

func TestFileSystemsThatTakeNothing(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]string{"read-only": "read-only file system", "full": "no space left on device"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			cmd := process(t, "mounted:"+how, t.TempDir(), "x")
			cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
			if uid := os.Getuid(); uid != 0 {
				cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
				cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: uid, Size: 1}}
				cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
			}
			out, err := cmd.CombinedOutput()
			if strings.Contains(string(out), "mount: ") || err != nil && len(out) == 0 {
				t.Skipf("this machine gives no mounts of one's own: %v: %s", err, out)
			}
			if got := string(out); !strings.Contains(got, want) {
				t.Errorf("got %q, want %q in it", got, want)
			}
		})
	}
}
