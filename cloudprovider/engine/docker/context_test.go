package docker_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// writeContext puts a context into a docker configuration, as docker context create does.
func writeContext(t *testing.T, configDir, name, host string) (id string) {
	t.Helper()
	meta, err := json.Marshal(map[string]any{
		"Name": name, "Metadata": map[string]any{},
		"Endpoints": map[string]any{"docker": map[string]any{"Host": host, "SkipTLSVerify": false}},
	})
	check(t, err)
	id = fmt.Sprintf("%x", sha256.Sum256([]byte(name)))
	write(t, filepath.Join(configDir, "contexts", "meta", id, "meta.json"), string(meta))
	return id
}

func write(t *testing.T, path, content string) {
	t.Helper()
	check(t, os.MkdirAll(filepath.Dir(path), 0o755))
	check(t, os.WriteFile(path, []byte(content), 0o600))
}

func TestOpenFollowsTheDockerContext(t *testing.T) {
	t.Parallel()
	here := newDaemon(t)
	for name, configure := range map[string]func(t *testing.T, h *docker.Host){
		"DOCKER_CONTEXT": func(t *testing.T, h *docker.Host) {
			writeContext(t, filepath.Join(h.Home, ".docker"), "mine", here.host)
			h.Env["DOCKER_CONTEXT"] = "mine"
		},
		"currentContext": func(t *testing.T, h *docker.Host) {
			writeContext(t, filepath.Join(h.Home, ".docker"), "mine", here.host)
			write(t, filepath.Join(h.Home, ".docker", "config.json"), `{"currentContext": "mine"}`)
		},
		"DOCKER_CONFIG": func(t *testing.T, h *docker.Host) {
			h.Env["DOCKER_CONFIG"] = t.TempDir()
			writeContext(t, h.Env["DOCKER_CONFIG"], "mine", here.host)
			write(t, filepath.Join(h.Env["DOCKER_CONFIG"], "config.json"), `{"currentContext": "mine"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := docker.Host{Home: t.TempDir(), GOOS: "linux", Env: map[string]string{}, Sockets: []string{"unix:///nowhere.sock"}}
			configure(t, &h)
			e, err := h.Open(t.Context(), docker.Options{})
			check(t, err)
			defer e.Close()
			if got := e.Endpoint().Host; got != here.host {
				t.Errorf("got %s, want %s", got, here.host)
			}
		})
	}
}

func TestOpenSaysWhatIsWrongWithAContext(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		configure func(t *testing.T, configDir string)
		says      string
	}{
		"absent": {func(*testing.T, string) {}, "there is no such context"},
		"broken": {func(t *testing.T, dir string) {
			id := writeContext(t, dir, "mine", "x")
			write(t, filepath.Join(dir, "contexts", "meta", id, "meta.json"), "{")
		}, "reading the context's metadata"},
		"empty": {func(t *testing.T, dir string) { writeContext(t, dir, "mine", "") }, "has no docker endpoint"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			c.configure(t, filepath.Join(home, ".docker"))
			h := docker.Host{Home: home, GOOS: "linux", Env: map[string]string{"DOCKER_CONTEXT": "mine"}, Sockets: []string{}}
			_, err := h.Open(t.Context(), docker.Options{})
			contains(t, err, engine.ErrUnavailable, c.says, `docker context "mine"`)
		})
	}
}

func TestOpenSaysThatTheConfigurationIsBroken(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write(t, filepath.Join(home, ".docker", "config.json"), "{")
	_, err := docker.Host{Home: home, GOOS: "linux", Sockets: []string{}}.Open(t.Context(), docker.Options{})
	contains(t, err, engine.ErrUnavailable, filepath.Join(home, ".docker", "config.json"))
}
