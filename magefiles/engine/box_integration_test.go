//go:build integration && linux

package engine_test

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/magekind/magekind/magefiles/engine"
)

// box is an engine's options with what they wrote, and helpers to look at it.
type box struct {
	t *testing.T
	engine.Options
	mu   sync.Mutex
	said bytes.Buffer
}

func newBox(t *testing.T) *box {
	t.Helper()
	b := &box{t: t}
	run, err := os.MkdirTemp("", "run-") // shorter than t.TempDir, as the paths of sockets must be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(run) })
	b.Options = engine.Options{Out: b, Dir: filepath.Join(t.TempDir(), "engine"), RunDir: filepath.Join(run, "magekind")}
	t.Cleanup(func() {
		if err := engine.Remove(context.Background(), b.Options); err != nil {
			t.Errorf("removing: %v", err)
		}
		if t.Failed() {
			t.Logf("said:\n%s", b.said.String())
		}
	})
	return b
}

// Write makes the box the engine's output.
func (b *box) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.said.Write(p)
}

func (b *box) ensure() engine.Choice {
	b.t.Helper()
	choice, err := engine.Ensure(b.t.Context(), b.Options)
	if err != nil {
		b.t.Fatal(err)
	}
	if !choice.Own || !strings.HasPrefix(choice.Host, "unix://"+b.RunDir) {
		b.t.Fatalf("got %+v, want an own engine in %s", choice, b.RunDir)
	}
	return choice
}

// file returns the path of a file in the engine's run folder.
func (b *box) file(name string) string {
	b.t.Helper()
	found, err := filepath.Glob(filepath.Join(b.RunDir, "*"))
	if err != nil || len(found) != 1 {
		b.t.Fatalf("run folders %v, %v", found, err)
	}
	return filepath.Join(found[0], name)
}

func (b *box) pid() int {
	b.t.Helper()
	text, err := os.ReadFile(b.file("dockerd.pid"))
	if err != nil {
		b.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		b.t.Fatal(err)
	}
	return pid
}

// call runs the docker CLI on an engine.
func call(t *testing.T, host string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "docker", args...)
	cmd.Env = append(os.Environ(), "DOCKER_HOST="+host)
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("docker %s: %v\n%s", strings.Join(args, " "), err, text)
	}
	return strings.TrimSpace(string(text))
}

// runProbe starts a container that stays for a minute.
func runProbe(t *testing.T, host string, flags ...string) string {
	t.Helper()
	image := call(t, host, "image", "ls", "--format", "{{.Repository}}:{{.Tag}}", "--filter", "label=magekind.probe")
	args := append([]string{"run", "--detach"}, flags...)
	return call(t, host, append(args, image)...)
}

// traces returns what is left of an engine: processes, mounts, devices, rules.
func traces(t *testing.T, dirs ...string) []string {
	t.Helper()
	var found []string
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		if bytes.Contains(table, []byte(dir)) {
			found = append(found, "a mount in "+dir)
		}
		for _, file := range lines {
			if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, []byte(dir)) {
				found = append(found, "process "+strings.ReplaceAll(string(text), "\x00", " "))
			}
		}
	}
	devices, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, device := range devices {
		if strings.HasPrefix(device.Name, "mgk") || strings.HasPrefix(device.Name, "br-") {
			found = append(found, "device "+device.Name)
		}
	}
	rules, err := exec.CommandContext(t.Context(), "iptables-save").CombinedOutput()
	if err != nil || bytes.Contains(rules, []byte("mgk")) || bytes.Contains(rules, []byte("br-")) {
		found = append(found, string(rules))
	}
	return found
}

// instances returns the host's limit of inotify instances.
func instances(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("/proc/sys/fs/inotify/max_user_instances")
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

func assertGone(t *testing.T, b *box) {
	t.Helper()
	if got := instances(t); got != "128" {
		t.Errorf("the limit of inotify instances stays %s", got)
	}
	for _, dir := range []string{b.Dir, b.RunDir} {
		if _, err := os.Lstat(dir); err == nil {
			t.Errorf("%s is left", dir)
		}
	}
	if left := traces(t, b.Dir, b.RunDir); len(left) > 0 {
		t.Errorf("left: %s", strings.Join(left, "\n"))
	}
}
