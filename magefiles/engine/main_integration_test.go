//go:build integration && linux

package engine_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// The tests run in network and mount namespaces of their own, with their own
// /run and /etc: what they do to sockets, iptables, bridges and the
// configuration is invisible outside, also beside an engine in use. They run
// without CAP_SYS_RESOURCE, so that every machine is one where runc refuses
// privileged containers.
const (
	insideVariable   = "MAGEKIND_TEST_NAMESPACE"
	capabilityNumber = 24 // CAP_SYS_RESOURCE
	inotify          = "/proc/sys/fs/inotify"
)

func TestMain(m *testing.M) {
	if os.Getenv(insideVariable) != "" {
		if err := enter(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(m.Run())
	}
	if os.Geteuid() != 0 {
		fmt.Println("skipped: only root can make an engine")
		return
	}
	if _, err := exec.LookPath("dockerd"); err != nil {
		fmt.Println("skipped: without network nothing can be installed, and there is no dockerd:", err)
		return
	}
	os.Exit(again())
}

// again runs this test binary in new namespaces.
func again() int {
	// the bounding set is the thread's, and the child's is that of the thread that makes it
	runtime.LockOSThread()
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_CAPBSET_DROP, capabilityNumber, 0); errno != 0 {
		fmt.Fprintln(os.Stderr, "dropping a capability:", errno)
		return 1
	}
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), insideVariable+"=1", "DOCKER_HOST=", "DOCKER_CONTEXT=")
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGTERM}
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// enter furnishes the namespaces.
func enter() error {
	if err := syscall.Mount("tmpfs", "/run", "tmpfs", 0, "mode=755"); err != nil {
		return fmt.Errorf("mounting /run: %w", err)
	}
	for _, dir := range []string{"/etc", "/usr/local/sbin"} {
		upper := filepath.Join("/run/test", dir, "upper")
		work := filepath.Join("/run/test", dir, "work")
		for _, d := range []string{upper, work} {
			if err := os.MkdirAll(d, 0o755); err != nil {
				return err
			}
		}
		options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s", dir, upper, work)
		if err := syscall.Mount("overlay", dir, "overlay", 0, options); err != nil {
			return fmt.Errorf("mounting %s: %w", dir, err)
		}
	}
	// the limits are the machine's: files take their place
	if err := syscall.Mount("tmpfs", inotify, "tmpfs", 0, "mode=755"); err != nil {
		return fmt.Errorf("mounting %s: %w", inotify, err)
	}
	if err := os.WriteFile(inotify+"/max_user_instances", []byte("128\n"), 0o600); err != nil {
		return err
	}
	if text, err := exec.Command("ip", "link", "set", "dev", "lo", "up").CombinedOutput(); err != nil {
		return fmt.Errorf("setting up lo: %w: %s", err, text)
	}
	return nil
}
