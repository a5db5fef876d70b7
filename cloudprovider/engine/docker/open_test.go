package docker_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

func TestOpenTriesPlacesInOrder(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	writeContext(t, filepath.Join(home, ".docker"), "away", "tcp://away:2376")
	env := func(pairs ...string) map[string]string {
		vars := map[string]string{"XDG_RUNTIME_DIR": "/run/user/1000"}
		for i := 0; i < len(pairs); i += 2 {
			vars[pairs[i]] = pairs[i+1]
		}
		return vars
	}
	known := []string{
		"unix:///var/run/docker.sock", "unix:///run/user/1000/docker.sock",
		"unix://" + home + "/.docker/run/docker.sock", "unix://" + home + "/.docker/desktop/docker.sock",
		"unix://" + home + "/.colima/default/docker.sock", "unix://" + home + "/.rd/docker.sock",
		"unix://" + home + "/.orbstack/run/docker.sock",
		"unix:///run/user/1000/podman/podman.sock", "unix:///run/podman/podman.sock",
		"unix://" + home + "/.local/share/containers/podman/machine/podman.sock",
	}
	with := func(first ...string) []string { return append(first, known...) }
	for name, c := range map[string]struct {
		env  map[string]string
		opts docker.Options
		want []string
	}{
		"nothing set":          {env: env(), want: known},
		"host":                 {env: env("DOCKER_HOST", "tcp://a:1"), opts: docker.Options{Host: "tcp://b:1"}, want: []string{"tcp://b:1"}},
		"DOCKER_HOST":          {env: env("DOCKER_HOST", "tcp://a:1", "DOCKER_CONTEXT", "away"), want: with("tcp://a:1")},
		"context":              {env: env("DOCKER_CONTEXT", "away"), want: with("tcp://away:2376")},
		"default context":      {env: env("DOCKER_CONTEXT", "default"), want: known},
		"no place twice":       {env: env("DOCKER_HOST", known[0]), want: known},
		"podman's own first":   {env: env("CONTAINER_HOST", "unix:///p"), opts: docker.Options{Kind: engine.Podman}, want: with("unix:///p")},
		"podman's own is left": {env: env("CONTAINER_HOST", "unix:///p"), want: known},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := docker.Host{Env: c.env, Home: home, GOOS: "linux"}.Candidates(c.opts)
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestOpenTakesTheFirstThatAnswers(t *testing.T) {
	t.Parallel()
	here := newDaemon(t)
	h := docker.Host{GOOS: "linux", Sockets: []string{"unix:///nowhere.sock", here.host}}
	e, err := h.Open(t.Context(), docker.Options{})
	check(t, err)
	defer e.Close()
	if got := e.Endpoint().Host; got != here.host {
		t.Errorf("got %s, want %s", got, here.host)
	}
}

func TestOpenLooksForTheKindWanted(t *testing.T) {
	t.Parallel()
	whale, seal := newDaemon(t), newPodman(t)
	h := docker.Host{GOOS: "linux", Home: t.TempDir(), Sockets: []string{whale.host, seal.host}}
	writeContext(t, filepath.Join(h.Home, ".docker"), "mine", whale.host)
	for _, env := range []map[string]string{nil, {"DOCKER_HOST": whale.host}, {"DOCKER_CONTEXT": "mine"}} {
		h.Env = env
		e, err := h.Open(t.Context(), docker.Options{Kind: engine.Podman})
		check(t, err)
		if got := e.Endpoint().Host; got != seal.host {
			t.Errorf("with %v: got %s, want %s", env, got, seal.host)
		}
		check(t, e.Close())
	}
	_, err := h.Open(t.Context(), docker.Options{Kind: engine.Docker, Host: seal.host})
	contains(t, err, engine.ErrUnavailable, "it is podman 4.3.1, and docker is wanted", "DOCKER_HOST="+whale.host)
}

func TestOpenDoesNotReplaceAChoice(t *testing.T) {
	t.Parallel()
	here := newDaemon(t)
	gone := "unix:///nowhere.sock"
	home := t.TempDir()
	writeContext(t, filepath.Join(home, ".docker"), "gone", gone)
	for name, c := range map[string]struct {
		env  map[string]string
		opts docker.Options
		says string
	}{
		"host":        {opts: docker.Options{Host: gone}, says: "the host asked for"},
		"DOCKER_HOST": {env: map[string]string{"DOCKER_HOST": gone}, says: "DOCKER_HOST"},
		"context":     {env: map[string]string{"DOCKER_CONTEXT": "gone"}, says: `docker context "gone", from DOCKER_CONTEXT`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := docker.Host{Env: c.env, Home: home, GOOS: "linux", Sockets: []string{here.host}}
			_, err := h.Open(t.Context(), c.opts)
			contains(t, err, engine.ErrUnavailable, gone, "("+c.says+"): no such file", "to use docker 20.10.24 instead, set DOCKER_HOST="+here.host)
		})
	}
}

func TestOpenSaysWhatItTriedAndWhatToDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	check(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	sockets := []string{"unix:///nowhere.sock", "unix://" + filepath.Join(dir, "file"), "tcp://localhost:1"}
	_, err := docker.Host{GOOS: "linux", Sockets: sockets}.Open(t.Context(), docker.Options{})
	contains(t, err, engine.ErrUnavailable, "systemctl start docker", "podman.socket", "no such file", "connection refused")
	contains(t, err, engine.ErrUnavailable, sockets...)
	_, err = docker.Host{GOOS: "darwin", Sockets: sockets}.Open(t.Context(), docker.Options{})
	contains(t, err, engine.ErrUnavailable, "colima start")
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		opts  docker.Options
		class error
		says  string
	}{
		{docker.Options{Kind: engine.Containerd}, engine.ErrUnsupported, "no Docker API"},
		{docker.Options{Kind: "lxc"}, nil, `engine kind "lxc": want "docker" or "podman"`},
		{docker.Options{Host: "ssh://me@box"}, engine.ErrUnsupported, "ssh -nNT -L /tmp/docker.sock:/var/run/docker.sock me@box"},
		{docker.Options{Host: "/var/run/docker.sock"}, engine.ErrUnavailable, "want unix:///path"},
		{docker.Options{Host: "unix://%"}, engine.ErrUnavailable, "not an endpoint"},
	} {
		_, err := docker.Host{GOOS: "linux", Sockets: []string{}}.Open(t.Context(), c.opts)
		contains(t, err, c.class, c.says)
	}
}

func TestOpenEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := docker.Host{GOOS: "linux", Sockets: []string{newDaemon(t).host}}.Open(ctx, docker.Options{})
	contains(t, err, context.Canceled)
	if errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("got %v, which blames the engine", err)
	}
}

func TestOpenGivesUpOnAnEngineThatHangs(t *testing.T) {
	t.Parallel()
	hanging := newDaemon(t)
	hanging.handle("GET /info", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	here := newDaemon(t)
	h := docker.Host{GOOS: "linux", Patience: 100 * time.Millisecond}
	_, err := h.Open(t.Context(), docker.Options{Host: hanging.host})
	contains(t, err, engine.ErrUnavailable, "no answer within 100ms")
	h.Patience, h.Sockets = 5*time.Second, []string{hanging.host, here.host}
	e, err := h.Open(t.Context(), docker.Options{})
	check(t, err)
	defer e.Close()
	if got := e.Endpoint().Host; got != here.host {
		t.Errorf("got %s, want %s", got, here.host)
	}
}

// contains checks an error's class, if one is wanted, and its text.
func contains(t *testing.T, err, class error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("got no error")
	}
	if class != nil && !errors.Is(err, class) {
		t.Errorf("got %v, want an error that is %q", err, class)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("got:\n%v\nwant in it: %s", err, text)
		}
	}
}
