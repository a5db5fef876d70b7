package kindenv_test

import (
	"os"
	"strings"
	"testing"
)

// TestStatusOfADamagedKubeconfig: it is named, and the user's, which is whole,
// is not said to lack the cluster.
func TestStatusOfADamagedKubeconfig(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		env := w.environment()
		w.up(env)
		if err := os.WriteFile(env.Kubeconfig(), []byte("half: ["), 0o600); err != nil {
			t.Fatal(err)
		}
		status := w.status()
		if !status.Merged {
			t.Errorf("the user's kubeconfig is said to lack the context:\n%s", status)
		}
		wantText(t, strings.Join(status.Warnings, "\n"), "own kubeconfig can't be used", "env:up writes it again")
		w.up(env)
		if got := w.status(); len(got.Warnings) > 0 {
			t.Errorf("warnings after env:up: %q", got.Warnings)
		}
	})
}
