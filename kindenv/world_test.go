package kindenv_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

const (
	host      = "unix:///run/test-docker.sock"
	nodeImage = "localhost/node:v1.37.2"
)

// world is an engine, a kind, an API server and a cloud provider in memory,
// and folders of its own.
type world struct {
	*kindenv.World
	t        *testing.T
	engine   *enginetest.Fake
	kind     *kindtest.Fake
	provider *fakeProvider
	api      *kindtest.API
	out      *output
	home     string
	project  string
}

// inWorld runs a test beside others, in a world of its own and in virtual time:
// that stands still while something goes on, so that a busy machine, on which
// all takes longer, is no reason for a timeout.
func inWorld(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { test(t, newWorld(t)) })
}

// newWorld returns a world for a test in a bubble of testing/synctest.
func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldAt(t, 6443)
}

// newWorldAt has its API server at another port.
func newWorldAt(t *testing.T, port uint16) *world {
	t.Helper()
	eng := enginetest.NewFake()
	eng.SetEndpoint(engine.Endpoint{Host: host, Kind: engine.Docker, Version: "28.0", CgroupVersion: 2})
	eng.AddImage(nodeImage)
	eng.AddNetwork("kind")
	w := &world{
		t: t, engine: eng, kind: kindtest.NewFake(eng), provider: &fakeProvider{}, out: &output{},
		api: kindtest.NewAPIInMemory(t, port, "x-control-plane"), home: t.TempDir(), project: t.TempDir(),
	}
	w.kind.API = w.api
	w.World = &kindenv.World{
		Engine: eng, Driver: w.kind, Provider: w.provider, CacheDir: filepath.Join(w.home, "cache"), Patience: time.Minute,
		Dial: w.api.Dial,
		Env:  map[string]string{"HOME": w.home, "DOCKER_HOST": host},
	}
	eng.Script(func(spec engine.Spec) enginetest.Behaviour {
		return enginetest.Behaviour{OnExec: func(command []string) (string, int) { return w.kind.Exec(spec.Name, command) }}
	})
	return w
}

// environment returns the environment "x", with what change says.
func (w *world) environment(change ...func(*kindenv.Config)) *kindenv.Environment {
	w.t.Helper()
	cfg := kindenv.Config{Name: "x", Dir: w.project, NodeImage: nodeImage, Out: w.out}
	for _, f := range change {
		f(&cfg)
	}
	env, err := kindenv.NewIn(w.World, cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	return env
}

// up brings the environment up, which must succeed.
func (w *world) up(env *kindenv.Environment) {
	w.t.Helper()
	if err := env.Up(w.t.Context()); err != nil {
		w.t.Fatalf("Up: %v\n%s", err, w.out)
	}
}

// write writes a file of the project and returns its path.
func (w *world) write(name, content string) string {
	w.t.Helper()
	path := filepath.Join(w.project, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// nodes are the containers of cluster x.
func (w *world) nodes() []engine.Container {
	w.t.Helper()
	found, err := w.engine.List(w.t.Context(), map[string]string{kind.LabelCluster: "x"})
	if err != nil {
		w.t.Fatal(err)
	}
	return found
}

// kubeconfig is the user's, or empty.
func (w *world) kubeconfig() string {
	raw, err := os.ReadFile(filepath.Join(w.home, ".kube", "config"))
	if err != nil {
		return ""
	}
	return string(raw)
}

// called tells how often kind was asked for something that begins like this.
func (w *world) called(prefix string) int {
	n := 0
	for _, call := range w.kind.Calls() {
		if strings.HasPrefix(call, prefix) {
			n++
		}
	}
	return n
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error has no %q:\n%v", part, err)
		}
	}
}

// output is a writer for several goroutines.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

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

func (o *output) reset() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Reset()
}
