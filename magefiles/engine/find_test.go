package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// closable makes a fake engine a client.
type closable struct{ *enginetest.Fake }

func (closable) Close() error { return nil }

// world is a machine as find sees it: the engines by host; "" is the one that the environment points to.
type world struct {
	engines map[string]engine.Endpoint
	env     map[string]string
}

// maker returns a maker in that world whose own engine does not run.
func (w world) maker(t *testing.T) (*maker, *bytes.Buffer) {
	t.Helper()
	run, err := os.MkdirTemp("", "run-") // shorter than t.TempDir, as the paths of sockets must be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(run) })
	l, err := newLayout(t.TempDir(), run)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	return &maker{layout: l, out: &said, env: func(name string) string { return w.env[name] }, open: w.open}, &said
}

func (w world) open(_ context.Context, host string) (client, error) {
	endpoint, ok := w.engines[host]
	if !ok {
		return nil, fmt.Errorf("%w: tried %q", engine.ErrUnavailable, host)
	}
	fake := enginetest.NewFake()
	fake.SetEndpoint(endpoint)
	return closable{fake}, nil
}

func dockerAt(host string) engine.Endpoint { return engine.Endpoint{Host: host, Kind: engine.Docker} }

func TestFind(t *testing.T) {
	t.Parallel()
	const unix, tcp = "unix:///elsewhere/docker.sock", "tcp://build.example:2376"
	for name, c := range map[string]struct {
		world
		want, said, refusal string
		beside              bool
	}{
		"what the environment points to": {
			world: world{engines: map[string]engine.Endpoint{"": dockerAt(unix)}}, want: unix, beside: true,
		},
		"podman has no part in Docker's rules": {
			world: world{engines: map[string]engine.Endpoint{"": {Host: unix, Kind: engine.Podman}}}, want: unix,
		},
		"nor has a rootless engine": {
			world: world{engines: map[string]engine.Endpoint{"": {Host: unix, Kind: engine.Docker, Rootless: true}}}, want: unix,
		},
		"nor has one in a VM": {
			world: world{engines: map[string]engine.Endpoint{"": {Host: unix, Kind: engine.Docker, Remote: true}}}, want: unix,
		},
		"DOCKER_HOST in another machine": {
			world: world{engines: map[string]engine.Endpoint{tcp: dockerAt(tcp)}, env: map[string]string{"DOCKER_HOST": tcp}}, want: tcp,
		},
		"none": {said: "no container engine answers"},
		"DOCKER_HOST of this machine does not answer": {
			world: world{env: map[string]string{"DOCKER_HOST": unix}}, said: unix,
		},
		"DOCKER_HOST of another machine does not answer": {
			world: world{env: map[string]string{"DOCKER_HOST": tcp}}, refusal: "unset DOCKER_HOST",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, said := c.maker(t)
			got, err := m.find(t.Context())
			if c.refusal != "" {
				if err == nil || !strings.Contains(err.Error(), c.refusal) {
					t.Fatalf("got %+v, %v, want an error that says %q", got, err, c.refusal)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got.host != c.want || got.beside != c.beside || got.own || (c.want == "") != (got.reason != nil) {
				t.Errorf("got %+v, want host %q, beside %v", got, c.want, c.beside)
			}
			if !strings.Contains(said.String(), c.said) || c.said == "" && said.Len() > 0 {
				t.Errorf("said %q, want %q", said, c.said)
			}
		})
	}
}

func TestFindAfterOurOwnWasStopped(t *testing.T) {
	t.Parallel()
	w := world{engines: map[string]engine.Endpoint{wellKnownHost(): dockerAt(wellKnownHost())}, env: map[string]string{}}
	m, _ := w.maker(t)
	w.env["DOCKER_HOST"] = m.host()
	got, err := m.find(t.Context())
	if err != nil || got.host != wellKnownHost() {
		t.Errorf("got %+v, %v, want the engine at the well-known socket", got, err)
	}
}

func TestFindPassesOnOtherErrors(t *testing.T) {
	t.Parallel()
	m, _ := world{}.maker(t)
	want := errors.New("malformed")
	m.open = func(context.Context, string) (client, error) { return nil, want }
	if _, err := m.find(t.Context()); !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

func TestNeighbours(t *testing.T) {
	t.Parallel()
	w := world{engines: map[string]engine.Endpoint{}}
	m, _ := w.maker(t)
	other := filepath.Join(filepath.Dir(m.run), "another")
	for _, dir := range []string{m.run, other} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "docker.sock"), "")
		host := "unix://" + filepath.Join(dir, "docker.sock")
		w.engines[host] = dockerAt(host)
	}
	theirs := "unix://" + filepath.Join(other, "docker.sock")
	if got, want := m.neighbours(t.Context(), candidate{}), []string{theirs}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := m.neighbours(t.Context(), candidate{host: theirs, beside: true}), []string{theirs}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v: each once", got, want)
	}
}

func TestRunning(t *testing.T) {
	t.Parallel()
	fake := enginetest.NewFake()
	for name, state := range map[string]engine.State{
		"one": engine.Running, "two": engine.Paused, "three": engine.Restarting, "four": engine.Exited, "five": engine.Created,
	} {
		fake.Put(engine.Container{Name: name, State: state})
	}
	m, _ := world{}.maker(t)
	m.open = func(context.Context, string) (client, error) { return closable{fake}, nil }
	got, err := m.running(t.Context(), "unix:///x")
	if err != nil || len(got) != 3 || strings.Contains(strings.Join(got, " "), "f") {
		t.Errorf("got %v, %v, want one, two and three", got, err)
	}
}
