package consumer_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/magefiles/consumer"
)

func TestWriteGivesAProjectThatBuilds(t *testing.T) {
	t.Parallel()
	root, err := consumer.Root()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := map[string]string{
		"cmd/x/main.go": "package main\n\nimport \"github.com/magekind/magekind/cloudprovider/engine\"\n\nfunc main() { println(engine.ErrNotFound.Error()) }\n",
	}
	if err := consumer.Write(dir, root, "example.test/x", files); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", "-mod=readonly", "./cmd/x")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || len(out) == 0 {
		t.Errorf("go run: %v\n%s", err, out)
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Path}} {{.Dir}}", "example.test/x", consumer.Module)
	list.Dir = dir
	got, err := list.CombinedOutput()
	if want := consumer.Module + " " + root; err != nil || !strings.Contains(string(got), want) {
		t.Errorf("go list -m: %v\n%s; want the line %q", err, got, want)
	}
}

func TestWriteWithoutATree(t *testing.T) {
	t.Parallel()
	err := consumer.Write(t.TempDir(), filepath.Join(t.TempDir(), "absent"), "example.test/x", nil)
	if err == nil || !strings.Contains(err.Error(), `"example.test/x"`) {
		t.Errorf("Write() = %v; want an error that names the module", err)
	}
}

func TestRootIsNotSomewhereElse(t *testing.T) {
	t.Chdir(t.TempDir())
	if got, err := consumer.Root(); err == nil {
		t.Errorf("Root() = %q; want an error", got)
	}
}
