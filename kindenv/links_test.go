package kindenv_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv"
)

// linked is a folder with a socket's name, and links to it.
func linked(t *testing.T) (dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"absolute.sock": filepath.Join(dir, "run", "docker.sock"),
		"relative.sock": "run/docker.sock",
		"chain.sock":    "relative.sock",
		"folder":        "run",
		"loop.sock":     "loop.sock",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSameHostFollowsLinks(t *testing.T) {
	t.Parallel()
	dir := linked(t)
	want := "unix://" + filepath.Join(dir, "run", "docker.sock")
	for _, engineIsThere := range []bool{false, true} {
		if engineIsThere {
			if err := os.WriteFile(filepath.Join(dir, "run", "docker.sock"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"absolute.sock", "relative.sock", "chain.sock", "folder/docker.sock", "run/docker.sock"} {
			if got := kindenv.SameHost("unix://" + filepath.Join(dir, name)); got != want {
				t.Errorf("SameHost of %s (engine there: %v) = %q, want %q", name, engineIsThere, got, want)
			}
		}
	}
	if got := kindenv.SameHost("unix://" + filepath.Join(dir, "loop.sock")); !strings.HasSuffix(got, "loop.sock") {
		t.Errorf("SameHost of a loop = %q", got)
	}
}

// at is the world's engine, reached through a socket.
func (w *world) at(socket string) *kindenv.Environment {
	w.t.Helper()
	endpoint := w.engine.Endpoint()
	endpoint.Host = "unix://" + socket
	w.engine.SetEndpoint(endpoint)
	w.Env["DOCKER_HOST"] = endpoint.Host
	return w.environment()
}

func TestLinkToASocketIsTheSameEngine(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		dir := linked(t)
		w.up(w.at(filepath.Join(dir, "run", "docker.sock")))
		kubeconfig := w.environment().Kubeconfig()
		asked := len(w.kind.Calls())
		linked := w.at(filepath.Join(dir, "chain.sock"))
		w.up(linked)
		if got := linked.Kubeconfig(); got != kubeconfig {
			t.Errorf("through a link the kubeconfig is %q, want %q", got, kubeconfig)
		}
		if got := len(w.kind.Calls()); got != asked {
			t.Errorf("through a link kind was asked again: %q", w.kind.Calls()[asked:])
		}
		if direct, link := linked.LockFile("unix://"+filepath.Join(dir, "run", "docker.sock")), linked.LockFile(w.Env["DOCKER_HOST"]); direct != link {
			t.Errorf("the lock is %q, and through a link %q", direct, link)
		}
	})
}

func TestFilesFromBeforeTheSocketWasALink(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		dir := linked(t)
		path := filepath.Join(dir, "docker.sock")
		w.Env["KUBECONFIG"] = filepath.Join(w.home, "elsewhere")
		w.up(w.at(path))
		former := w.environment().Kubeconfig()
		if err := os.Symlink("run/docker.sock", path); err != nil {
			t.Fatal(err)
		}
		delete(w.Env, "KUBECONFIG") // so that only what was remembered leads to the entry
		env := w.at(path)
		if env.Kubeconfig() == former {
			t.Fatal("the link makes no difference")
		}
		if err := env.Down(t.Context()); err != nil {
			t.Fatal(err)
		}
		if left, err := filepath.Glob(filepath.Join(w.CacheDir, "*")); err != nil || len(left) > 0 {
			t.Errorf("Down leaves %q (%v)", left, err)
		}
		if raw, err := os.ReadFile(filepath.Join(w.home, "elsewhere")); err != nil || strings.Contains(string(raw), env.Context()) {
			t.Errorf("the entry is left (%v):\n%s", err, raw)
		}
	})
}
