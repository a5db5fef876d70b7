package kind_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kind"
)

// aDocker puts a docker on PATH with a place for one node, x-control-plane: the
// file "node" in the folder that is returned. Running a container takes until that is removed.
func aDocker(t *testing.T, execs string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	script := `#!/bin/sh
node='` + folder + `/node'
case "$1" in
info) echo '{"CgroupVersion":"2","MemoryLimit":true,"PidsLimit":true,"CPUShares":true}' ;;
ps) [ -e "$node" ] || exit 0
	case "$*" in
	*kind.cluster=*) echo x-control-plane ;;
	*) printf '%s\n' x '' ;;
	esac ;;
inspect)
	case "$*" in
	*kind.role*) echo control-plane ;;
	*Ports*) printf '127.0.0.1\t6443\n' ;;
	*) echo '' ;;
	esac ;;
run) touch "$node"; while [ -e "$node" ]; do sleep 0.01; done; echo 'the container is gone' >&2; exit 137 ;;
rm) rm -f "$node"; echo "$*" >> '` + folder + `/removed' ;;
exec) shift; while [ "$1" != x-control-plane ]; do shift; done; shift; ` + execs + ` ;;
esac
`
	if err := os.WriteFile(filepath.Join(folder, "docker"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	return folder
}

func putNode(t *testing.T, folder string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, "node"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestCancelledCreateRemovesNodes(t *testing.T) {
	folder := aDocker(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := newDriver(t).Create(ctx, kind.CreateSpec{Name: "x", Image: "node:v1"})
		ended <- err
	}()
	for _, err := os.Stat(filepath.Join(folder, "node")); err != nil; _, err = os.Stat(filepath.Join(folder, "node")) {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "busy") {
		t.Errorf("Create = %v, want %v", err, context.Canceled)
	}
	if nodes, err := newDriver(t).Nodes(t.Context(), "x"); err != nil || len(nodes) > 0 {
		t.Errorf("Nodes = %q, %v; want none", nodes, err)
	}
	removed, err := os.ReadFile(filepath.Join(folder, "removed"))
	if err != nil || !strings.Contains(string(removed), "-v x-control-plane") {
		t.Errorf("removed %q (%v), want the node with its volumes", removed, err)
	}
}

func TestListAndNodes(t *testing.T) {
	folder := aDocker(t, "")
	putNode(t, folder)
	names, err := newDriver(t).List(t.Context())
	if want := []string{"x"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("List = %q, %v; want %q", names, err, want)
	}
	nodes, err := newDriver(t).Nodes(t.Context(), "x")
	if want := []string{"x-control-plane"}; err != nil || !slices.Equal(nodes, want) {
		t.Errorf("Nodes = %q, %v; want %q", nodes, err, want)
	}
}

func TestKubeconfigOfAClusterThatIsNotSetUp(t *testing.T) {
	folder := aDocker(t, `echo 'cat: /etc/kubernetes/admin.conf: No such file or directory' >&2; exit 1`)
	if _, err := newDriver(t).Kubeconfig(t.Context(), "x"); !errors.Is(err, kind.ErrNotSetUp) {
		t.Errorf("Kubeconfig without nodes = %v, want %v", err, kind.ErrNotSetUp)
	}
	putNode(t, folder)
	if _, err := newDriver(t).Kubeconfig(t.Context(), "x"); !errors.Is(err, kind.ErrNotSetUp) {
		t.Errorf("Kubeconfig before kubeadm = %v, want %v", err, kind.ErrNotSetUp)
	}
}

func TestKubectl(t *testing.T) {
	folder := aDocker(t, `[ "$4" = fail ] && { echo 'the server says no' >&2; exit 1; }; echo "$@"; cat`)
	putNode(t, folder)
	out, err := newDriver(t).Kubectl(t.Context(), "x", strings.NewReader("input"), "apply", "-f", "-")
	if want := "kubectl --kubeconfig=/etc/kubernetes/admin.conf apply -f -\ninput"; err != nil || string(out) != want {
		t.Errorf("Kubectl = %q, %v; want %q", out, err, want)
	}
	_, err = newDriver(t).Kubectl(t.Context(), "x", nil, "get", "fail")
	if err == nil || !strings.Contains(err.Error(), "kubectl get") || !strings.Contains(err.Error(), "the server says no") {
		t.Errorf("Kubectl = %v, want an error with the command and its output", err)
	}
}

func TestCallsEndWithTheirContext(t *testing.T) {
	folder := aDocker(t, `sleep 60`)
	putNode(t, folder)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := newDriver(t).Kubectl(ctx, "x", nil, "version"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Kubectl = %v, want %v", err, context.DeadlineExceeded)
	}
	if _, err := newDriver(t).Kubeconfig(ctx, "x"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Kubeconfig = %v, want %v", err, context.DeadlineExceeded)
	}
	if took := time.Since(began); took > 50*time.Second {
		t.Errorf("they took %s", took)
	}
}

func create(ctx context.Context, t *testing.T) error {
	t.Helper()
	_, err := newDriver(t).Create(ctx, kind.CreateSpec{Name: "x", Image: "node:v1"})
	return err
}
