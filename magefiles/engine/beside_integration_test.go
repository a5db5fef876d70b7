//go:build integration && linux

package engine_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/magefiles/engine"
)

const hostEngine = "unix:///var/run/docker.sock"

// startHostEngine starts a dockerd as a host has it, which lacks the wrapper.
func startHostEngine(t *testing.T) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	out, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command("dockerd", "--data-root", filepath.Join(t.TempDir(), "data"))
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		if t.Failed() {
			text, _ := os.ReadFile(log)
			t.Logf("the host's dockerd:\n%s", text)
		}
	})
	err = retry.Until(t.Context(), time.Minute, func(ctx context.Context) error {
		cmd := exec.CommandContext(ctx, "docker", "version")
		cmd.Env = append(os.Environ(), "DOCKER_HOST="+hostEngine)
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestBesideAnIdleEngine(t *testing.T) {
	startHostEngine(t)
	b := newBox(t)
	b.ensure()
	for _, want := range []string{"unable to apply caps", hostEngine, "idle"} {
		if !strings.Contains(b.said.String(), want) {
			t.Errorf("nothing was said of %q", want)
		}
	}
	b.said.Reset()
	if b.ensure(); b.said.Len() > 0 {
		t.Errorf("the second time it said %q", b.said.String())
	}
}

func TestBesideAUsedEngine(t *testing.T) {
	startHostEngine(t)
	b := newBox(t)
	b.ensure() // the host's engine gets the probe's image in passing
	if err := engine.Remove(t.Context(), b.Options); err != nil {
		t.Fatal(err)
	}
	container := runProbe(t, hostEngine, "--name", "somebody")
	choice, err := engine.Ensure(t.Context(), b.Options)
	if err == nil {
		t.Fatalf("got %+v beside a used engine, want a refusal", choice)
	}
	for _, want := range []string{hostEngine, "somebody", "unable to apply caps", "/etc/docker/daemon.json", "HUP"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the refusal does not name %q: %v", want, err)
		}
	}
	follow(t, err.Error())
	// dockerd reads its configuration some time after the signal
	err = retry.Until(t.Context(), time.Minute, func(ctx context.Context) error {
		choice, err = engine.Ensure(ctx, b.Options)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := (engine.Choice{Host: hostEngine}); choice != want {
		t.Errorf("got %+v, want %+v", choice, want)
	}
	if got := call(t, hostEngine, "ps", "--quiet", "--no-trunc"); got != container {
		t.Errorf("containers that run: %q, want %q", got, container)
	}
}

// follow runs the commands that a refusal advises.
func follow(t *testing.T, refusal string) {
	t.Helper()
	start := strings.Index(refusal, "install -D")
	end := strings.Index(refusal, "Or stop those")
	if start < 0 || end < start {
		t.Fatalf("no commands in: %s", refusal)
	}
	if text, err := exec.CommandContext(t.Context(), "sh", "-e", "-c", refusal[start:end]).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", refusal[start:end], err, text)
	}
}

func TestConcurrentCallsMakeOneEngine(t *testing.T) {
	b := newBox(t)
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if _, err := engine.Ensure(t.Context(), b.Options); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := strings.Count(b.said.String(), "starting a Docker engine"); n != 1 {
		t.Errorf("%d engines were started, want 1", n)
	}
}

func TestChangedSettings(t *testing.T) {
	b := newBox(t)
	host := b.ensure().Host
	first := b.pid()
	alter := func() {
		t.Helper()
		if err := os.WriteFile(b.file("daemon.json"), []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	alter()
	b.ensure()
	second := b.pid()
	if second == first {
		t.Error("an idle engine was not restarted")
	}
	runProbe(t, host)
	alter()
	if b.ensure(); b.pid() != second {
		t.Error("an engine with a running container was restarted")
	}
	if want := "settings have changed"; strings.Count(b.said.String(), want) != 2 {
		t.Errorf("did not say twice that the %s", want)
	}
}

func TestDaemonThatEnds(t *testing.T) {
	b := newBox(t)
	if err := os.MkdirAll(b.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.Dir, "data"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := engine.Ensure(t.Context(), b.Options)
	if err == nil || !strings.Contains(err.Error(), "ended at once") || !strings.Contains(err.Error(), "points to a file") {
		t.Errorf("got error %v, want one that has dockerd's last lines", err)
	}
}

func TestOrphanedContainerd(t *testing.T) {
	b := newBox(t)
	b.ensure()
	if err := engine.Stop(t.Context(), b.Options); err != nil {
		t.Fatal(err)
	}
	// to look at it is that containerd: a shell with the rest as arguments of its script
	orphan := exec.Command("/bin/sh", "-c", "while :; do sleep 1; done", "--config", b.file("exec/containerd/containerd.toml"))
	orphan.Args[0] = "containerd"
	if err := orphan.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- orphan.Wait() }()
	if err := os.WriteFile(b.file("exec/containerd/containerd.pid"), []byte(strconv.Itoa(orphan.Process.Pid)), 0o600); err != nil {
		t.Fatal(err)
	}
	b.ensure()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		_ = orphan.Process.Kill()
		t.Error("it still runs")
	}
}
