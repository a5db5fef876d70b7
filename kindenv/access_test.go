package kindenv_test

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

func TestUpReplacesAKubeconfigThatIsNotTheClusters(t *testing.T) {
	t.Parallel()
	tests := map[string]func(t *testing.T, w *world, path string){
		"of an earlier cluster of that name": func(t *testing.T, w *world, path string) {
			old := time.Now().Add(-time.Hour)
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		},
		"for another port": func(t *testing.T, w *world, path string) {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			raw = bytes.ReplaceAll(raw, []byte(w.api.URL), []byte("https://127.0.0.1:1"))
			if err := os.WriteFile(path, raw, 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"damaged": func(t *testing.T, _ *world, path string) {
			if err := os.WriteFile(path, []byte("apiVersion: v1\nkind: Config\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				env := w.environment()
				w.up(env)
				right, err := os.ReadFile(env.Kubeconfig())
				if err != nil {
					t.Fatal(err)
				}
				change(t, w, env.Kubeconfig())
				w.up(w.environment())
				if n := w.called("Kubeconfig"); n != 1 {
					t.Errorf("kind was asked %d times for the kubeconfig, want once", n)
				}
				if got, err := os.ReadFile(env.Kubeconfig()); err != nil || !bytes.Equal(got, right) {
					t.Errorf("the kubeconfig (%v) is\n%s", err, got)
				}
			})
		})
	}
}

func TestUpMergesAnEntryThatIsGone(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.up(w.environment())
		want := w.kubeconfig()
		if err := os.Remove(w.home + "/.kube/config"); err != nil {
			t.Fatal(err)
		}
		w.up(w.environment())
		if got := w.kubeconfig(); got != want {
			t.Errorf("the user's kubeconfig is\n%s\nwant\n%s", got, want)
		}
		if n := w.called(""); n != 1 { // Create
			t.Errorf("kind was asked for %q", w.kind.Calls())
		}
	})
}

func TestUpForgetsTheClusterThatOneMadeByHandReplaces(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.engine.AddImage(app)
		with := func(cfg *kindenv.Config) { cfg.Images = []string{app} }
		w.up(w.environment(with))
		if err := w.engine.Remove(t.Context(), w.nodes()[0].ID); err != nil {
			t.Fatal(err)
		}
		w.kind.SetUp(w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)) // by hand, with kind
		old := time.Now().Add(-time.Hour)
		env := w.environment(with)
		if err := os.Chtimes(env.Kubeconfig(), old, old); err != nil {
			t.Fatal(err)
		}
		w.up(env)
		if n := w.called("Create"); n != 1 {
			t.Error("the cluster was made anew")
		}
		if n := w.called("Kubeconfig"); n != 1 {
			t.Errorf("kind was asked %d times for the kubeconfig, want once", n)
		}
		if n := len(w.kind.Archives()); n != 2 {
			t.Errorf("the image was loaded %d times, want into each of the two clusters", n)
		}
	})
}
