//go:build integration && linux

package engine_test

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/magekind/magekind/magefiles/engine"
)

func TestLifecycle(t *testing.T) {
	b := newBox(t)
	host := b.ensure().Host
	first := b.pid()
	if got := call(t, host, "info", "--format", "{{.DefaultRuntime}} {{.Driver}}"); !strings.HasPrefix(got, "bounded ") {
		t.Errorf("default runtime and driver are %q", got)
	}
	if got := instances(t); got != "512" {
		t.Errorf("the limit of inotify instances is %s, want 512", got)
	}
	b.said.Reset()
	if b.ensure(); b.pid() != first || b.said.Len() > 0 {
		t.Errorf("the running engine was not just found again: process %d, was %d; said %q", b.pid(), first, b.said.String())
	}
	container := runProbe(t, host, "--privileged")
	call(t, host, "exec", "--privileged", container, "/probe", "check")

	if err := engine.Stop(t.Context(), b.Options); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(first, 0); err == nil {
		t.Errorf("dockerd (process %d) still runs", first)
	}
	if err := engine.Stop(t.Context(), b.Options); err != nil {
		t.Errorf("stopping a stopped engine: %v", err)
	}

	// a stale pid file with the number of a process that runs
	for _, name := range []string{"dockerd.pid", "exec/containerd/containerd.pid"} {
		if err := os.WriteFile(b.file(name), []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.ensure()
	if got := call(t, host, "ps", "--all", "--quiet", "--no-trunc"); got != container {
		t.Errorf("containers after the restart: %q, want %q", got, container)
	}

	// killed, with a container that goes on running
	call(t, host, "start", container)
	if err := syscall.Kill(b.pid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	b.ensure()
	call(t, host, "network", "create", "left-behind")
	call(t, host, "start", container)

	if err := engine.Remove(t.Context(), b.Options); err != nil {
		t.Fatal(err)
	}
	assertGone(t, b)
	if err := engine.Remove(t.Context(), b.Options); err != nil {
		t.Errorf("removing again: %v", err)
	}
}

func TestRemoveAfterKill(t *testing.T) {
	b := newBox(t)
	host := b.ensure().Host
	call(t, host, "network", "create", "left-behind")
	runProbe(t, host, "--network", "left-behind")
	if err := syscall.Kill(b.pid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := engine.Remove(t.Context(), b.Options); err != nil {
		t.Fatal(err)
	}
	assertGone(t, b)
}
