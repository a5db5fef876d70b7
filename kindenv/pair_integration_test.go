//go:build integration

package kindenv_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kind"
)

// realPair is a real environment of a control plane and a worker.
type realPair struct{ *real }

func (r realPair) plane() string  { return r.Name() + "-control-plane" }
func (r realPair) worker() string { return r.Name() + "-worker" }

// docker runs the docker command, which must succeed.
func (r realPair) docker(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "docker", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("docker %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// labelled are the arguments for a container with kind's labels; role may be empty.
func (r realPair) labelled(name, role string) []string {
	args := []string{"--name", name, "--label", kind.LabelCluster + "=" + r.Name()}
	if role != "" {
		args = append(args, "--label", kind.LabelRole+"="+role)
	}
	return append(args, "--entrypoint", "sleep", os.Getenv(nodeImageEnv), "1000")
}

func (r realPair) wantStatus(t *testing.T, parts ...string) {
	t.Helper()
	status, err := r.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, status.String(), parts...)
}

// repairs brings the environment up, which must keep the nodes and say this.
func (r realPair) repairs(t *testing.T, says ...string) {
	t.Helper()
	before, said := r.nodes(t), len(r.out.String())
	r.up(t)
	wantText(t, r.out.String()[said:], says...)
	if now := r.nodes(t); !slices.Equal(now, before) {
		t.Errorf("nodes are %v, were %v", now, before)
	}
	status, err := r.Status(t.Context())
	if err != nil || status.API != "ready" || len(status.Nodes) != 2 || !status.Nodes[0].Ready || !status.Nodes[1].Ready {
		t.Errorf("Status = %v, %v; want two ready nodes", status, err)
	}
	if r.hasProvider() && !status.Serves {
		t.Errorf("the cloud provider does not serve: %s", status)
	}
}

func (r realPair) hasProvider() bool { return os.Getenv(cloudProviderImageEnv) != "" }

// nodes are the IDs of the node containers.
func (r realPair) nodes(t *testing.T) []string {
	t.Helper()
	found, err := r.engine.List(t.Context(), map[string]string{kind.LabelCluster: r.Name(), kind.LabelRole: ""})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, container := range found {
		ids = append(ids, container.ID)
	}
	slices.Sort(ids)
	return ids
}

func (r realPair) wantNothing(t *testing.T) {
	t.Helper()
	if err := r.Down(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := r.ids(t); len(left) > 0 {
		t.Errorf("containers are left: %v", left)
	}
	if _, err := os.Stat(filepath.Dir(r.Kubeconfig())); !os.IsNotExist(err) {
		t.Errorf("the environment's folder is left (%v)", err)
	}
}
