//go:build integration && linux

package outage_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine/docker"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/magefiles/engine"
)

// own is an engine that may suffer.
type own struct {
	t    *testing.T
	opts engine.Options
	host string
	said output
}

// newOwn starts an engine and removes it, with all that is there, when the test ends.
func newOwn(t *testing.T, furnish func(dataRoot string)) *own {
	t.Helper()
	run, err := os.MkdirTemp("", "run-") // shorter than t.TempDir, as the paths of sockets must be
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "engine")
	o := &own{t: t, opts: engine.Options{Dir: dir, RunDir: filepath.Join(run, "magekind")}}
	o.opts.Out = &o.said
	t.Cleanup(func() {
		if err := engine.Remove(context.Background(), o.opts); err != nil {
			t.Errorf("removing the engine: %v", err)
		}
		os.RemoveAll(run)
		if t.Failed() {
			t.Logf("of the engine:\n%s", o.said.String())
		}
	})
	if furnish != nil {
		furnish(filepath.Join(dir, "data"))
	}
	o.start()
	t.Setenv("DOCKER_HOST", o.host)
	t.Setenv("KUBECONFIG", filepath.Join(dir, "..", "kubeconfig"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "..", "cache"))
	return o
}

func (o *own) load() {
	o.t.Helper()
	o.docker("load", "--quiet", "--input", os.Getenv(archiveVariable))
}

func (o *own) start() {
	o.t.Helper()
	choice, err := engine.Ensure(o.t.Context(), o.opts)
	if err != nil {
		o.t.Fatalf("starting the engine: %v\n%s", err, o.said.String())
	}
	o.host = choice.Host
}

// restart stops the engine, as a service manager does, and starts it.
func (o *own) restart() {
	o.t.Helper()
	if err := engine.Stop(o.t.Context(), o.opts); err != nil {
		o.t.Fatal(err)
	}
	o.start()
}

// kill kills the engine, whose containers go on running, and starts it.
func (o *own) kill() {
	o.t.Helper()
	o.signal(syscall.SIGKILL)
	o.start()
}

func (o *own) signal(sig syscall.Signal) {
	o.t.Helper()
	if err := syscall.Kill(o.pid(), sig); err != nil {
		o.t.Fatal(err)
	}
}

// freeze makes the engine hang, and thaw lets it go on.
func (o *own) freeze() {
	o.t.Helper()
	o.signal(syscall.SIGSTOP)
}

func (o *own) thaw() {
	o.t.Helper()
	o.signal(syscall.SIGCONT)
	err := retry.Until(o.t.Context(), 0, func(ctx context.Context) error {
		e, err := docker.Open(ctx, docker.Options{Host: o.host})
		if err != nil {
			return err
		}
		return e.Close()
	})
	if err != nil {
		o.t.Fatal(err)
	}
}

func (o *own) pid() int {
	o.t.Helper()
	found, err := filepath.Glob(filepath.Join(o.opts.RunDir, "*", "dockerd.pid"))
	if err != nil || len(found) != 1 {
		o.t.Fatalf("pid files %q, %v", found, err)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		o.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		o.t.Fatal(err)
	}
	return pid
}

// docker runs the docker command on the engine.
func (o *own) docker(args ...string) string {
	o.t.Helper()
	out, err := exec.CommandContext(o.t.Context(), "docker", append([]string{"--host", o.host}, args...)...).CombinedOutput()
	if err != nil {
		o.t.Fatalf("docker %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// left are the containers on the engine that belong to a cluster in any way.
func (o *own) left(cluster string) string {
	o.t.Helper()
	var all []string
	for _, key := range []string{"io.x-k8s.kind.cluster", "io.x-k8s.cloud-provider-kind.cluster", "io.magekind.cluster"} {
		all = append(all, o.docker("ps", "--all", "--format", "{{.Names}} ({{.Status}})", "--filter", fmt.Sprintf("label=%s=%s", key, cluster)))
	}
	return strings.TrimSpace(strings.Join(all, "\n"))
}

// output is a writer for several goroutines.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

var _ io.Writer = (*output)(nil)

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
