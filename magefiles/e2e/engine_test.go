//go:build e2e

package e2e

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// docker runs the engine's own command line, so that what the suite sees does
// not depend on the code under test.
func docker(ctx context.Context, t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(ctx, "docker", args...).CombinedOutput()
	if err != nil {
		t.Errorf("docker %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// containers returns the ids of all containers that pass the filters, running or not.
func containers(ctx context.Context, t *testing.T, filters ...string) []string {
	t.Helper()
	args := []string{"ps", "-aq", "--no-trunc"}
	for _, filter := range filters {
		args = append(args, "--filter", filter)
	}
	return strings.Fields(docker(ctx, t, args...))
}

// snapshot identifies everything that the project has on the engine, and says
// since when it runs and how often it was restarted.
func (p *project) snapshot() []string {
	p.t.Helper()
	var lines []string
	for _, filter := range labels(p.name) {
		for _, id := range containers(p.t.Context(), p.t, filter) {
			lines = append(lines, docker(p.t.Context(), p.t, "inspect", "-f", "{{.Name}} {{.Id}} {{.State.StartedAt}} {{.RestartCount}}", id))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// assertGone checks that nothing of the project is left on the engine or in a
// kubeconfig, and that the network that clusters share is.
func (p *project) assertGone() {
	p.t.Helper()
	if left := p.snapshot(); len(left) > 0 {
		p.t.Errorf("containers left: %q", left)
	}
	p.assertNoKubeconfig()
	if networks := docker(p.t.Context(), p.t, "network", "ls", "-q", "--filter", "name=^kind$"); networks == "" {
		p.t.Error("the network kind is gone; want it kept, because other clusters share it")
	}
}

// eventually retries check until it returns nil or the time is up.
func eventually(t *testing.T, within time.Duration, check func(ctx context.Context) error) {
	t.Helper()
	if err := retry.Until(t.Context(), within, check); err != nil {
		t.Fatal(err)
	}
}
