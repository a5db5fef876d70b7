//go:build integration

package docker_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// The docker command is kind's way to the engine: ours must lead to the same.
func TestOpenFollowsTheDockerCommandsContext(t *testing.T) {
	if _, err := exec.LookPath("docker"); err != nil {
		t.Skip("there is no docker command")
	}
	here := newDaemon(t)
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	t.Setenv("DOCKER_HOST", "")
	run(t, "docker", "context", "create", "magekind-contract", "--docker", "host="+here.host)
	for name, use := range map[string]func(t *testing.T){
		"by command":     func(t *testing.T) { run(t, "docker", "context", "use", "magekind-contract") },
		"by environment": func(t *testing.T) { t.Setenv("DOCKER_CONTEXT", "magekind-contract") },
	} {
		t.Run(name, func(t *testing.T) {
			run(t, "docker", "context", "use", "default")
			use(t)
			want := strings.TrimSpace(run(t, "docker", "context", "inspect", "--format", "{{.Endpoints.docker.Host}}"))
			e, err := docker.Open(t.Context(), docker.Options{})
			check(t, err)
			defer e.Close()
			if got := e.Endpoint().Host; got != want || got != here.host {
				t.Errorf("got %s; the docker command uses %s", got, want)
			}
		})
	}
}

func run(t *testing.T, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v", command, err)
	}
	return string(out)
}
