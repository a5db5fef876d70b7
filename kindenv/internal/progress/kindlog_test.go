package progress_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/progress"
)

func TestLogger(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	c := progress.New(&b, nil)
	l := c.Logger()
	l.V(0).Infof("Creating cluster %q ...\n", "x")
	l.V(0).Infof(" • %s  ...\n", "Preparing nodes 📦")
	l.V(1).Infof("Image: %s present locally", "node")
	l.V(0).Infof(" ✓ %s\n", "Preparing nodes 📦")
	l.V(0).Infof(" • %s  ...\n", "Starting control-plane 🕹️")
	l.Warn("WARNING: slow")
	l.Warnf("%d nodes", 2)
	l.Errorf("failed with %d", 1)
	l.V(0).Infof(" ✗ %s\n", "Starting control-plane 🕹️")
	l.V(0).Info("100% done")
	l.Error("too bad")
	want := `Creating cluster "x" ...
 • Preparing nodes 📦  ...
 ✓ Preparing nodes 📦
 • Starting control-plane 🕹️  ...
WARNING: slow
WARNING: 2 nodes
WARNING: failed with 1
 ✗ Starting control-plane 🕹️
100% done
WARNING: too bad
`
	if got := b.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	timings := c.Timings()
	if len(timings) != 2 || timings[0].Err != nil || timings[1].Err == nil {
		t.Errorf("got timings %v, want a success and a failure", timings)
	}
	if l.V(1).Enabled() || !l.V(0).Enabled() {
		t.Error("want level 0 enabled and level 1 not")
	}
}

// TestKindFormats holds the formats that the logger recognizes against the
// source of the version of kind in use.
func TestKindFormats(t *testing.T) {
	t.Parallel()
	folder, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kind").Output()
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "pkg", "internal", "cli", "status.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range progress.KindFormats() {
		quoted := `"` + strings.ReplaceAll(format, "\n", `\n`) + `"`
		if !strings.Contains(string(source), quoted) {
			t.Errorf("kind's status.go does not have the format %s", quoted)
		}
	}
}
