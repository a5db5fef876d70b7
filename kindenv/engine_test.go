package kindenv_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/lock"
)

func TestKindAndTheClientAgreeOnTheEngine(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		env     string // DOCKER_HOST
		context string // of docker; empty: it can't tell
		want    string // DOCKER_HOST afterwards
		fail    []string
	}{
		"DOCKER_HOST names it":             {env: host, want: host},
		"DOCKER_HOST names another":        {env: "tcp://other:2375", fail: []string{"tcp://other:2375", host, "Host"}},
		"the context is it":                {context: host, want: ""},
		"the context is it, other spelled": {context: "unix:///run/../run/test-docker.sock", want: ""},
		"the context is another":           {context: "unix:///other.sock", want: host},
		"docker can't tell":                {want: host},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.Env["DOCKER_HOST"], w.ContextHost = tt.env, tt.context
				env := w.environment(func(cfg *kindenv.Config) { cfg.Host = host })
				if tt.fail != nil {
					wantError(t, env.Up(t.Context()), tt.fail...)
					return
				}
				w.up(env)
				if got := w.Env["DOCKER_HOST"]; got != tt.want {
					t.Errorf("DOCKER_HOST = %q, want %q", got, tt.want)
				}
				if said := strings.Contains(w.out.String(), "DOCKER_HOST="); said != (tt.want != tt.env) {
					t.Errorf("said so: %v\n%s", said, w.out)
				}
			})
		})
	}
}

func TestRuntime(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		config, env string
		reachable   engine.Kind // empty: none
		nerdctl     bool
		asked       engine.Kind
		want        string // empty: an error
	}{
		"whatever is there":      {reachable: engine.Docker, want: kind.Docker},
		"podman is there":        {reachable: engine.Podman, want: kind.Podman},
		"podman by config":       {config: "podman", env: "docker", reachable: engine.Podman, asked: engine.Podman, want: kind.Podman},
		"podman by environment":  {env: "podman", reachable: engine.Podman, asked: engine.Podman, want: kind.Podman},
		"nerdctl by config":      {config: "nerdctl", want: kind.Nerdctl},
		"nerdctl is there":       {nerdctl: true, want: kind.Nerdctl},
		"nothing is there":       {},
		"docker is not there":    {config: "docker", nerdctl: true, asked: engine.Docker},
		"finch, as kind says it": {config: "finch", want: "finch"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.Env["KIND_EXPERIMENTAL_PROVIDER"] = tt.env
				delete(w.Env, "DOCKER_HOST")
				w.engine.SetEndpoint(engine.Endpoint{Host: host, Kind: tt.reachable})
				if tt.reachable == "" {
					w.World.Engine, w.EngineError = nil, fmt.Errorf("%w: nothing answers", engine.ErrUnavailable)
				}
				if tt.nerdctl {
					w.Installed = []string{"nerdctl"}
				}
				env := w.environment(func(cfg *kindenv.Config) { cfg.Runtime = tt.config })
				_, err := env.Status(t.Context())
				if tt.want == "" {
					if !errors.Is(err, engine.ErrUnavailable) {
						t.Errorf("Status = %v, want %v", err, engine.ErrUnavailable)
					}
					return
				}
				if err != nil || w.Runtime != tt.want {
					t.Errorf("runtime is %q (%v), want %q", w.Runtime, err, tt.want)
				}
				if len(w.Opened) > 0 && w.Opened[0].Kind != tt.asked {
					t.Errorf("asked for an engine of kind %q, want %q", w.Opened[0].Kind, tt.asked)
				}
			})
		})
	}
}

func TestEngineThatDoesNotSpeakTheDockerAPI(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.provider.onPrepare = func(context.Context) error { return cloudprovider.ErrUnsupported }
		w.provider.onStart, w.provider.onStop = w.provider.onPrepare, w.provider.onPrepare
		w.provider.attached = cloudprovider.ErrUnsupported
		nerdctl := func(cfg *kindenv.Config) { cfg.Runtime, cfg.Images = "nerdctl", []string{app} }
		env := w.environment(nerdctl)
		w.up(env)
		w.up(w.environment(nerdctl))
		if got := w.called("Create"); got != 1 {
			t.Errorf("created %d times, want once", got)
		}
		if got := w.out.String(); !strings.Contains(got, cloudprovider.ErrUnsupported.Error()) {
			t.Errorf("the output does not say that there is no cloud provider:\n%s", got)
		}
		if got := w.kind.Archives(); len(got) == 0 {
			t.Error("the image was not loaded")
		}
		status, err := w.environment(nerdctl).Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		wantText(t, status.String(), "x-control-plane: state not known, Ready")
		if err := env.Down(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := w.nodes(); len(got) > 0 {
			t.Errorf("nodes are left: %v", got)
		}
	})
}

func TestCommandsWaitForEachOther(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		env := w.environment()
		held, err := lock.Acquire(t.Context(), env.LockFile(host), nil)
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- env.Up(t.Context()) }()
		for !strings.Contains(w.out.String(), "Waiting for another command") {
			select {
			case err := <-ended:
				t.Fatalf("Up did not wait: %v", err)
			case <-time.After(time.Millisecond):
			}
		}
		if n := w.called("Create"); n > 0 {
			t.Error("the cluster was created")
		}
		if err := held.Release(); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if got := w.out.String(); !strings.Contains(got, "process ") {
			t.Errorf("the output does not say who is waited for:\n%s", got)
		}
	})
}

func TestCancelledWhileWaiting(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		env := w.environment()
		held, err := lock.Acquire(t.Context(), env.LockFile(host), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = held.Release() }()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := env.Down(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("Down = %v, want %v", err, context.Canceled)
		}
	})
}

func TestSameHost(t *testing.T) {
	t.Parallel()
	tests := [][2]string{
		{"unix:///nowhere/a.sock", "unix:///nowhere/b/../a.sock"},
		{"/nowhere/a.sock", "unix:///nowhere/a.sock"},
		{"tcp://10.0.0.1:2375", "tcp://10.0.0.1:2375/"},
	}
	for _, tt := range tests {
		if a, b := kindenv.SameHost(tt[0]), kindenv.SameHost(tt[1]); a != b {
			t.Errorf("SameHost(%q) = %q, SameHost(%q) = %q; want the same", tt[0], a, tt[1], b)
		}
	}
	if kindenv.SameHost("unix:///a.sock") == kindenv.SameHost("unix:///b.sock") {
		t.Error("two sockets are the same")
	}
}
