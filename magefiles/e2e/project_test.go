//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/consumer"
)

// patience bounds one mage command; it only has to be longer than any healthy run.
const patience = 12 * time.Minute

// project is a consumer of the module with a cluster name of its own.
type project struct {
	t          *testing.T
	name       string
	dir        string
	cache      string
	kubeconfig string
	temp       string // for temporary files
	env        []string
	groups     []int // of processes that were killed
}

var serial atomic.Int64

// newProject makes a project with the given number of workers. When the test
// ends, what it left on the engine is removed, however it ended.
func newProject(t *testing.T, workers int) *project {
	t.Helper()
	return newProjectWith(t, func(f *consumer.Fixture) { f.Workers = workers })
}

// newProjectWith is newProject with more changed than the number of workers.
func newProjectWith(t *testing.T, change func(*consumer.Fixture)) *project {
	t.Helper()
	dir := t.TempDir()
	p := &project{
		t:          t,
		name:       fmt.Sprintf("e2e-%d-%03d", os.Getpid(), serial.Add(1)),
		dir:        filepath.Join(dir, "project"),
		cache:      filepath.Join(dir, "cache"),
		kubeconfig: filepath.Join(dir, "kubeconfig"),
		temp:       filepath.Join(dir, "temp"),
	}
	if err := os.Mkdir(p.temp, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := consumer.Write(p.dir, shared.root, "example.test/"+p.name, files(t, p.name, change)); err != nil {
		t.Fatal(err)
	}
	p.env = append(os.Environ(),
		"KUBECONFIG="+p.kubeconfig,
		"XDG_CACHE_HOME="+p.cache,
		"GOCACHE="+goEnv(t, "GOCACHE"),
		"MAGEFILE_CACHE="+filepath.Join(dir, "magefile"),
		"TMPDIR="+p.temp,
		"KIND_CLUSTER_NAME=",
		"NO_COLOR=1",
	)
	t.Cleanup(p.remove)
	shared.made.add(p.name)
	return p
}

// share makes the project use another one's kubeconfig beside its own.
func (p *project) share(other *project) {
	p.kubeconfig = other.kubeconfig
	p.env = append(p.env, "KUBECONFIG="+p.kubeconfig)
}

// in returns the project for use in a subtest, which then gets its failures.
func (p *project) in(t *testing.T) *project {
	sub := *p
	sub.t = t
	return &sub
}

// command is `mage args…` in the project, in a process group of its own, as a
// shell would start it.
func (p *project) command(ctx context.Context, args ...string) (*exec.Cmd, *syncBuffer) {
	out := newBuffer()
	cmd := exec.CommandContext(ctx, shared.mage, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 20 * time.Second
	return cmd, out
}

// mage runs targets that must succeed and returns what they printed.
func (p *project) mage(args ...string) string {
	p.t.Helper()
	out, err := p.try(args...)
	if err != nil {
		p.t.Fatalf("mage %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// try is mage for targets that may fail.
func (p *project) try(args ...string) (string, error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	cmd, out := p.command(ctx, args...)
	start := time.Now()
	err := shared.made.start(cmd)
	if err == nil {
		err = cmd.Wait()
	}
	p.t.Logf("%s: mage %s took %s", p.name, strings.Join(args, " "), time.Since(start).Round(100*time.Millisecond))
	return out.String(), err
}

// remove is the clean-up of last resort: the target first, because it is what
// people would use, then by label whatever is left.
func (p *project) remove() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd, out := p.command(ctx, "env:down")
	if err := cmd.Run(); err != nil {
		p.t.Errorf("cleaning up with env:down: %v\n%s", err, out)
	}
	removeAll(ctx, p.name)
}

// labels are the filters that find everything that belongs to a cluster.
func labels(cluster string) []string {
	return []string{
		"label=io.x-k8s.kind.cluster=" + cluster,
		"label=io.x-k8s.cloud-provider-kind.cluster=" + cluster,
		"label=io.magekind.cluster=" + cluster,
	}
}

// exitCode is the exit code that err of a command stands for; −1 for a signal.
func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatalf("go env %s: %v", name, err)
	}
	return string(bytes.TrimSpace(out))
}
