package kind_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kind"
)

// slowlyRemoving has the engine take its time to remove the node: the container
// ends at the first request, and the next ones are refused.
func slowlyRemoving(t *testing.T, folder string) {
	t.Helper()
	usual := filepath.Join(folder, "docker")
	if err := os.Rename(usual, usual+"-usual"); err != nil {
		t.Fatal(err)
	}
	script := `#!/bin/sh
cd '` + folder + `'
case "$1" in
run) touch node; while [ ! -e asked ]; do sleep 0.01; done; exit 137 ;;
rm) echo again >> asked
	if [ "$(wc -l < asked)" -le 3 ]; then
		[ "$(wc -l < asked)" -gt 1 ] || exit 0
		echo 'Error response from daemon: removal of container x-control-plane is already in progress' >&2; exit 1
	fi ;;
esac
exec ./docker-usual "$@"
`
	if err := os.WriteFile(usual, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestCancelledCreateWaitsForARemoval that has begun, rather than fail for it.
func TestCancelledCreateWaitsForARemoval(t *testing.T) {
	folder := aDocker(t, "")
	slowlyRemoving(t, folder)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := newDriver(t).Create(ctx, kind.CreateSpec{Name: "x", Image: "node:v1", Failed: func(context.Context, error) {}})
		ended <- err
	}()
	for _, err := os.Stat(filepath.Join(folder, "node")); err != nil; _, err = os.Stat(filepath.Join(folder, "node")) {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-ended; err == nil || strings.Contains(err.Error(), "in progress") {
		t.Errorf("Create = %v, want that it was cancelled and nothing else", err)
	}
	if nodes, err := newDriver(t).Nodes(t.Context(), "x"); err != nil || len(nodes) > 0 {
		t.Errorf("Nodes = %q, %v; want none", nodes, err)
	}
}
