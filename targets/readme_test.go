package targets_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/magefiles/consumer"
)

// TestReadme builds the magefile that the README tells newcomers to write.
func TestReadme(t *testing.T) {
	t.Parallel()
	root, err := consumer.Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "```go\n")
	magefile, _, found := strings.Cut(after, "```")
	if !found || !strings.HasPrefix(magefile, "//go:build mage") {
		t.Fatalf("the README's first Go block is no magefile:\n%s", magefile)
	}
	dir := t.TempDir()
	if err := consumer.Write(dir, root, "example.test/readme", map[string]string{"magefile.go": magefile}); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "tool", "mage", "-l")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "MAGEFILE_CACHE="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("mage -l: %v\n%s", err, out)
	}
	for _, command := range []string{"env:up", "env:down", "env:logs", "env:status"} {
		if !strings.Contains(string(out), command) || !strings.Contains(string(text), "mage "+command) {
			t.Errorf("%s is not both in the README and in mage -l:\n%s", command, out)
		}
	}
}
