package check_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/magekind/magekind/magefiles/check"
)

func TestModules(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, file := range []string{"go.mod", "b/go.mod", "a/deep/go.mod", "a/testdata/go.mod", ".cache/go.mod", "_x/go.mod", "c/go.sum"} {
		path := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := check.Modules(root)
	if want := []string{".", "a/deep", "b"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("Modules() = %v, %v; want %v", got, err, want)
	}
}

func TestModulesOfNoFolder(t *testing.T) {
	t.Parallel()
	if got, err := check.Modules(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Errorf("Modules() = %v; want an error", got)
	}
}
