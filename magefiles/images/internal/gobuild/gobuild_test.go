package gobuild_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/magefiles/images/internal/gobuild"
)

// module makes a Go module of the given files.
func module(t *testing.T, files map[string]string) gobuild.Module {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return gobuild.Module{Dir: dir, Tags: "chosen"}
}

const goMod = "module example.test/m\n\ngo 1.26\n\nrequire example.test/dep v1.2.3\n\nreplace example.test/dep => ./dep\n"

func TestBuild(t *testing.T) {
	t.Parallel()
	// The comment keeps the program out of the build cache.
	m := module(t, map[string]string{
		"go.mod":          goMod,
		"dep/go.mod":      "module example.test/dep\n",
		"dep/dep.go":      "package dep\n\nvar Text = \"unset\"\n",
		"cmd/a/main.go":   "// " + t.TempDir() + "\npackage main\n\nimport \"example.test/dep\"\n\nfunc main() { println(dep.Text, tag) }\n",
		"cmd/a/tagged.go": "//go:build chosen\n\npackage main\n\nconst tag = \"tagged\"\n",
	})
	if n, err := m.Download(t.Context(), "./cmd/..."); err != nil || n != 2 {
		t.Errorf("download: %d packages, %v", n, err)
	}
	out := filepath.Join(t.TempDir(), "a")
	compiled := 0
	err := m.Build(t.Context(), gobuild.Program{
		Packages: []string{"./cmd/a"}, Out: out, LDFlags: "-X example.test/dep.Text=set", Seldom: []string{"example.test/..."},
	}, func(n int) { compiled = n })
	if err != nil {
		t.Fatal(err)
	}
	if compiled < 1 {
		t.Errorf("%d packages compiled, want at least the program itself", compiled)
	}
	said, err := exec.Command(out).CombinedOutput()
	if got, want := strings.TrimSpace(string(said)), "set tagged"; err != nil || got != want {
		t.Errorf("the program says %q, %v, want %q", got, err, want)
	}
}

func TestBuildSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	m := module(t, map[string]string{
		"go.mod":  "module example.test/m\n\ngo 1.26\n",
		"main.go": "package main\n\nfunc main() { undefinedFunction() }\n",
	})
	err := m.Build(t.Context(), gobuild.Program{Packages: []string{"."}, Out: filepath.Join(t.TempDir(), "a")}, nil)
	if err == nil || !strings.Contains(err.Error(), "undefinedFunction") {
		t.Errorf("got %v, want the compiler's words", err)
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	m := module(t, map[string]string{"go.mod": goMod})
	got, err := m.Versions(t.Context())
	if err != nil || got["example.test/dep"] != "v1.2.3" {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := (gobuild.Module{Dir: t.TempDir()}).Source(t.Context(), "example.test/absent"); err == nil {
		t.Error("no error for a module that there is not")
	}
}
