package kind_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kind"
)

// breaking makes the docker of [aDocker] one whose containers end at once.
func breaking(t *testing.T, folder string) {
	t.Helper()
	path := filepath.Join(folder, "docker")
	script, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const waits = `while [ -e "$node" ]; do sleep 0.01; done; echo 'the container is gone' >&2;`
	changed := strings.Replace(string(script), waits, "echo 'no such image' >&2;", 1)
	if changed == string(script) {
		t.Fatal("the script has changed")
	}
	if err := os.WriteFile(path, []byte(changed), 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestFailedCreationCanBeLookedInto: the nodes are there until that has been done.
func TestFailedCreationCanBeLookedInto(t *testing.T) {
	folder := aDocker(t, "")
	breaking(t, folder)
	there := func() bool {
		_, err := os.Stat(filepath.Join(folder, "node"))
		return err == nil
	}
	var told error
	_, err := newDriver(t).Create(t.Context(), kind.CreateSpec{Name: "x", Image: "node:v1", Failed: func(_ context.Context, err error) {
		if told = err; !there() {
			t.Error("the node is gone already")
		}
	}})
	if err == nil || told == nil || !strings.Contains(err.Error(), "no such image") || !strings.Contains(told.Error(), "no such image") {
		t.Errorf("Create = %v, told %v", err, told)
	}
	if there() {
		t.Error("the node is left")
	}
}

// TestFailedCreationOfAnothersCluster leaves what was there before.
func TestFailedCreationOfAnothersCluster(t *testing.T) {
	folder := aDocker(t, "")
	putNode(t, folder)
	_, err := newDriver(t).Create(t.Context(), kind.CreateSpec{Name: "x", Image: "node:v1", Failed: func(context.Context, error) {
		t.Error("told of a creation that did not begin")
	}})
	if err == nil || !strings.Contains(err.Error(), "already exist") {
		t.Errorf("Create = %v, want a refusal", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "node")); err != nil {
		t.Errorf("the other's node: %v", err)
	}
}
