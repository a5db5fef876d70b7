package kindenv_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

// users makes the user's kubeconfig, with an entry of the user's.
func (w *world) users(content string) string {
	w.t.Helper()
	path := filepath.Join(w.home, ".kube", "config")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// mine is a kubeconfig with the user's own entries.
const mine = "# mine\napiVersion: v1\nkind: Config\nclusters:\n- name: work\n  cluster: {server: https://work}\ncurrent-context: work\n"

// TestUpWithoutTheUsersKubeconfig: whatever is wrong with that file, the
// environment is ready, says what is wrong, and can be used and removed.
func TestUpWithoutTheUsersKubeconfig(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		spoil func(t *testing.T, w *world, path string)
		want  string
	}{
		"invalid": {func(t *testing.T, w *world, path string) { w.users("clusters: [\n") }, "not valid YAML"},
		"read-only": {func(t *testing.T, w *world, path string) {
			if err := os.Chmod(path, 0o444); err != nil {
				t.Fatal(err)
			}
		}, "is read-only"},
		"locked": {func(t *testing.T, w *world, path string) {
			old := time.Now().Add(-time.Hour)
			if err := errors.Join(os.WriteFile(path+".lock", nil, 0o600), os.Chtimes(path+".lock", old, old)); err != nil {
				t.Fatal(err)
			}
		}, "made 1h0m0s ago"},
		"a folder": {func(t *testing.T, w *world, path string) {
			if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o755)); err != nil {
				t.Fatal(err)
			}
		}, "not a regular file"},
		"nowhere": {func(t *testing.T, w *world, path string) { delete(w.Env, "HOME") }, "neither KUBECONFIG nor a home folder"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				path := w.users(mine)
				tt.spoil(t, w, path)
				before := w.kubeconfig()
				env := w.environment()
				w.up(env)
				out := w.out.String()
				last := out[strings.LastIndex(out, "WARNING"):]
				for _, want := range []string{`"kind-x" is not in your kubeconfig`, tt.want, "KUBECONFIG=" + env.Kubeconfig()} {
					if !strings.Contains(last, want) {
						t.Errorf("the last warning lacks %q:\n%s", want, last)
					}
				}
				_, summary, _ := strings.Cut(out[:len(out)-len(last)], "kind-x (not in the user's kubeconfig: ")
				if !strings.Contains(summary, tt.want) || !strings.Contains(summary, "; use KUBECONFIG="+env.Kubeconfig()+")") {
					t.Errorf("the summary does not say it:\n%s", out)
				}
				if err := env.Down(t.Context()); err != nil {
					t.Errorf("Down of what was never in the file: %v", err)
				}
				if got := w.kubeconfig(); got != before {
					t.Errorf("the file has changed:\n%s", got)
				}
				if _, err := os.Stat(filepath.Dir(env.Kubeconfig())); !os.IsNotExist(err) {
					t.Errorf("the environment's folder is left (%v)", err)
				}
			})
		})
	}
}

// TestUpMergesOnceThatIsPossible: the next Up does what the last one could not.
func TestUpMergesOnceThatIsPossible(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.users("[")
		w.up(w.environment())
		w.users(mine)
		w.up(w.environment())
		if n := w.called(""); n != 1 {
			t.Errorf("kind was asked for %q, want one creation and no more", w.kind.Calls())
		}
		if got := w.kubeconfig(); !strings.HasPrefix(got, "# mine") || !strings.Contains(got, "current-context: kind-x") {
			t.Errorf("the cluster is not in the user's kubeconfig:\n%s", got)
		}
	})
}

// TestDownWithABrokenKubeconfig: all else goes, and what can't be done is said,
// until somebody has done it.
func TestDownWithABrokenKubeconfig(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		spoil func(path string) error
		want  string
	}{
		"invalid":    {func(path string) error { return appendTo(path, "\t[") }, "not valid YAML"},
		"read-only":  {func(path string) error { return os.Chmod(path, 0o400) }, "is read-only"},
		"anchored":   {func(path string) error { return appendTo(path, "\nx: &y 1\nx: *y\n") }, "already defined"},
		"other file": {func(path string) error { return appendTo(path, "\n---\na: b\n") }, "more than one YAML document"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				path := w.users(mine)
				env := w.environment()
				w.up(env)
				if err := tt.spoil(path); err != nil {
					t.Fatal(err)
				}
				broken := w.kubeconfig()
				w.Env["KUBECONFIG"] = w.home + "/other" // it is found where it was merged, all the same
				for range 2 {
					wantError(t, env.Down(t.Context()), tt.want, path, `delete the entries named "kind-x" under clusters, contexts and users`)
					if got := w.kubeconfig(); got != broken {
						t.Errorf("the file has changed:\n%s", got)
					}
				}
				if len(w.nodes()) > 0 || w.provider.running {
					t.Error("the cluster is left")
				}
				if _, err := os.Stat(env.Kubeconfig()); !os.IsNotExist(err) {
					t.Errorf("the own kubeconfig is left (%v)", err)
				}
				if err := errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, []byte(mine), 0o600)); err != nil {
					t.Fatal(err)
				}
				if err := env.Down(t.Context()); err != nil {
					t.Error(err)
				}
				if got := w.kubeconfig(); got != mine {
					t.Errorf("the file has changed:\n%s", got)
				}
				if _, err := os.Stat(filepath.Dir(env.Kubeconfig())); !os.IsNotExist(err) {
					t.Errorf("the environment's folder is left (%v)", err)
				}
			})
		})
	}
}

func appendTo(path, text string) error {
	content, err := os.ReadFile(path)
	return errors.Join(err, os.WriteFile(path, append(content, text...), 0o600))
}

// TestEqualNamesOnTwoEngines: neither gets the other's entry, nor removes it.
func TestEqualNamesOnTwoEngines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first := newWorld(t)
		first.users(mine)
		first.up(first.environment())
		merged := first.kubeconfig()

		second := newWorldAt(t, 6444)
		second.home = first.home
		second.Env["HOME"], second.CacheDir = first.home, first.CacheDir
		second.engine.SetEndpoint(engine.Endpoint{Host: "tcp://other:2375", Kind: engine.Docker, Version: "28.0", CgroupVersion: 2})
		second.Env["DOCKER_HOST"] = "tcp://other:2375"
		second.Answers = func(server string) bool { return server == first.api.URL }
		env := second.environment()
		for range 2 {
			second.up(env)
			if got := first.kubeconfig(); got != merged {
				t.Fatalf("the first one's entry has changed:\n%s", got)
			}
		}
		out := second.out.String()
		for _, want := range []string{"WARNING", first.api.URL, second.api.URL, "another Name", "KUBECONFIG=" + env.Kubeconfig()} {
			if !strings.Contains(out, want) {
				t.Errorf("the output lacks %q:\n%s", want, out)
			}
		}
		if status, err := env.Status(t.Context()); err != nil || status.Merged {
			t.Errorf("status says that it is merged: %v (%v)", status.Merged, err)
		}
		if err := env.Down(t.Context()); err != nil {
			t.Error(err)
		}
		if got := first.kubeconfig(); got != merged {
			t.Errorf("the first one's entry has changed:\n%s", got)
		}
		if err := first.environment().Down(t.Context()); err != nil {
			t.Error(err)
		}
		if got := first.kubeconfig(); strings.Contains(got, "kind-x") {
			t.Errorf("the entry is left:\n%s", got)
		}
	})
}

// TestEntryOfAClusterThatIsGone is replaced without a word.
func TestEntryOfAClusterThatIsGone(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.users(strings.ReplaceAll(string(w.api.Kubeconfig("x")), w.api.URL, "https://127.0.0.1:1"))
		w.up(w.environment())
		if got := w.out.String(); strings.Contains(got, "WARNING") || !strings.Contains(w.kubeconfig(), w.api.URL) {
			t.Errorf("the file is\n%s\nafter\n%s", w.kubeconfig(), got)
		}
	})
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	there, other := kindtest.NewAPI(t, "x-control-plane"), kindtest.NewAPI(t, "x-control-plane")
	stranger := strings.ReplaceAll(string(there.Kubeconfig("x")), there.URL, other.URL) // with another authority
	for raw, want := range map[string]bool{
		string(there.Kubeconfig("x")): true,
		stranger:                      false,
		strings.ReplaceAll(string(there.Kubeconfig("x")), there.URL, "https://127.0.0.1:1"): false,
	} {
		if got, err := kindenv.Answers(t.Context(), []byte(raw)); got != want || err != nil {
			t.Errorf("got %v (%v), want %v for\n%s", got, err, want, raw)
		}
	}
}
