package kindenv_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// remember leaves the memory of a process that was killed.
func remember(t *testing.T, w *world, facts map[string]any) {
	t.Helper()
	path := w.environment().MemoryFile()
	text, err := json.Marshal(facts)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// hook is a writer that does something once, when it is given a text.
type hook struct {
	text string
	do   func()
	done bool
}

func (h *hook) Write(p []byte) (int, error) {
	if !h.done && strings.Contains(string(p), h.text) {
		h.done = true
		h.do()
	}
	return len(p), nil
}

func TestNodesThatAKilledCommandHadAskedForAreAwaited(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(*kindenv.Environment, context.Context) error{
		"down": (*kindenv.Environment).Down, "up": (*kindenv.Environment).Up,
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				remember(t, w, map[string]any{"creating": true, "began": time.Now()})
				var late string
				out := &hook{text: "Waiting for what a killed command", do: func() {
					late = w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
				}}
				if err := do(w.environment(func(cfg *kindenv.Config) { cfg.Out = out }), t.Context()); err != nil {
					t.Fatal(err)
				}
				if late == "" {
					t.Fatal("nothing was waited for")
				}
				for _, node := range w.nodes() {
					if name == "down" || node.ID == late {
						t.Errorf("node %s is there after %s", node.ID, name)
					}
				}
			})
		})
	}
}

func TestNothingIsAwaitedThatCannotCome(t *testing.T) {
	t.Parallel()
	for name, facts := range map[string]map[string]any{
		"it began long ago":     {"creating": true, "began": time.Now().Add(-time.Minute)},
		"the clock was changed": {"creating": true, "began": time.Now().Add(time.Hour)},
		"it was not noted":      {"creating": true},
		"it was finished":       {"began": time.Now()},
		"all nodes are there":   {"creating": true, "began": time.Now(), "nodes": "there"},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				if facts["nodes"] != nil {
					w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
				}
				remember(t, w, facts)
				if err := w.environment().Down(t.Context()); err != nil {
					t.Fatal(err)
				}
				if strings.Contains(w.out.String(), "Waiting for what") {
					t.Errorf("something was waited for:\n%s", w.out)
				}
			})
		})
	}
}

func TestUpMakesAClusterAnewWhoseRemovalWasInterrupted(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.up(w.environment())
		old := w.nodes()[0].ID
		w.engine.Fail("Remove", 1, errors.New("the engine has crashed")) // before the node is gone
		wantError(t, w.environment().Down(t.Context()), "the engine has crashed")
		w.up(w.environment())
		if got := w.nodes(); len(got) != 1 || got[0].ID == old {
			t.Errorf("nodes are %v, want a new one in place of %s", got, old)
		}
		if !strings.Contains(w.out.String(), `Cluster "x" is half-removed (an env:down was interrupted): making it anew`) {
			t.Errorf("the output does not say so:\n%s", w.out)
		}
		kept := w.nodes()[0].ID
		w.up(w.environment())
		if got := w.nodes()[0].ID; got != kept {
			t.Error("another env:up makes it anew once more")
		}
	})
}

func TestUpKeepsAClusterMadeSinceARemovalWasInterrupted(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
		w.kind.SetUp(id)
		remember(t, w, map[string]any{"removing": true, "control": "another"})
		w.up(w.environment())
		if got := w.nodes(); len(got) != 1 || got[0].ID != id {
			t.Errorf("nodes are %v, want %s kept", got, id)
		}
	})
}

func TestKindsOwnKubeconfigStaysNowhere(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		env := w.environment()
		var scratch string
		w.kind.Creating = func(_ context.Context, spec kind.CreateSpec) error {
			scratch = spec.Scratch
			left, err := filepath.Glob(filepath.Join(filepath.Dir(scratch), ".creating-*"))
			if err != nil || len(left) > 0 {
				t.Errorf("an earlier creation's scratch files are still there: %q, %v", left, err)
			}
			return os.WriteFile(scratch, nil, 0o600)
		}
		remember(t, w, map[string]any{"creating": true})
		for _, name := range []string{".creating-ABC", ".creating-ABC.lock"} { // of a killed one
			if err := os.WriteFile(filepath.Join(filepath.Dir(env.MemoryFile()), name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w.up(env)
		if _, err := os.Stat(scratch); err != nil || filepath.Dir(scratch) != filepath.Dir(env.MemoryFile()) {
			t.Errorf("kind's scratch file is %q (%v); want it in the environment's folder, to be found", scratch, err)
		}
		if err := env.Down(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Dir(scratch)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the environment's folder is still there: %v", err)
		}
	})
}
