package kindenv_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/magekind/magekind/kindenv"
)

// TestFolderOfAnEngineThatNobodyNames has an engine at a socket that was looked
// for. Processes that are told of it, as those that Up's own process starts, and
// others have to agree on where its files are.
func TestFolderOfAnEngineThatNobodyNames(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		newProcess := func() *kindenv.Environment {
			delete(w.Env, "DOCKER_HOST") // which Up sets for kind
			return w.environment()
		}
		env := newProcess()
		w.up(env)
		path, asked := env.Kubeconfig(), w.kind.Calls()
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
		if got := w.environment().Kubeconfig(); got != path {
			t.Errorf("a child process has the kubeconfig at %q, want %q", got, path)
		}
		env = newProcess()
		if got := env.Kubeconfig(); got != path {
			t.Errorf("another process has the kubeconfig at %q, want %q", got, path)
		}
		w.up(env)
		if got := w.kind.Calls(); !slices.Equal(got, asked) {
			t.Errorf("kind was asked again: %q, before %q", got, asked)
		}
		if err := newProcess().Down(t.Context()); err != nil {
			t.Fatal(err)
		}
		left, err := filepath.Glob(filepath.Join(w.CacheDir, "*"))
		if err != nil || len(left) != 0 {
			t.Errorf("Down leaves %q (%v), want nothing", left, err)
		}
	})
}

func TestFolderOfANamedEngineIsNotAnothers(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		env := w.environment()
		w.up(env)
		for name, change := range map[string]func(*kindenv.Config){
			"another engine":  func(cfg *kindenv.Config) { cfg.Host = "tcp://elsewhere:2375" },
			"another cluster": func(cfg *kindenv.Config) { cfg.Name = "y" },
		} {
			if got := w.environment(change).Kubeconfig(); got == env.Kubeconfig() {
				t.Errorf("%s has the kubeconfig at %q too", name, got)
			}
		}
	})
}

func TestFolderIsNoneOfAnotherUse(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		delete(w.Env, "DOCKER_HOST")
		want := w.environment().Kubeconfig()
		if err := os.MkdirAll(filepath.Join(w.CacheDir, "engine", "x"), 0o700); err != nil {
			t.Fatal(err)
		}
		if got := w.environment().Kubeconfig(); got != want {
			t.Errorf("Kubeconfig = %q, want %q", got, want)
		}
	})
}
