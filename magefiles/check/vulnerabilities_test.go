package check_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/magefiles/check"
	"github.com/magekind/magekind/magefiles/consumer"
)

// TestVulnerabilitiesLooksInEveryModule has a repository of two modules and a
// database that knows of one vulnerability, in a function of the standard library.
func TestVulnerabilitiesLooksInEveryModule(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds govulncheck")
	}
	root, db := repository(t), database(t)
	var out strings.Builder
	err := check.Vulnerabilities(root, "-db=file://"+filepath.ToSlash(db)).Run(t.Context(), &out)
	if err == nil || !strings.Contains(err.Error(), "inner") {
		t.Errorf("got %v, want that it fails in the inner module:\n%s", err, out.String())
	}
	for _, want := range []string{"No vulnerabilities found", "GO-0000-0001", "empty has no packages"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output has no %q:\n%s", want, out.String())
		}
	}
}

// repository has the pinned tools of this one.
func repository(t *testing.T) string {
	t.Helper()
	here, err := consumer.Root()
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	files := map[string]string{
		"go.mod": "module example.test/outer\n\ngo 1.26\n", "main.go": "package main\n\nfunc main() {}\n",
		"inner/go.mod": "module example.test/inner\n\ngo 1.26\n", "empty/go.mod": "module example.test/empty\n\ngo 1.26\n",
		"inner/main_test.go": "package main\n\nimport (\n\t\"strings\"\n\t\"testing\"\n)\n\nfunc TestMain(*testing.M) { _ = strings.Repeat(\"x\", 2) }\n",
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join(here, "magefiles", "tools", name))
		if err != nil {
			t.Fatal(err)
		}
		files["magefiles/tools/"+name] = string(content)
	}
	fill(t, root, files)
	return root
}

// database is in the format of https://go.dev/doc/security/vuln/database.
func database(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	const modified = `"modified": "2026-01-01T00:00:00Z"`
	fill(t, dir, map[string]string{
		"index/db.json":      `{` + modified + `}`,
		"index/modules.json": `[{"path": "stdlib", "vulns": [{"id": "GO-0000-0001", ` + modified + `}]}]`,
		"index/vulns.json":   `[{"id": "GO-0000-0001", ` + modified + `}]`,
		"ID/GO-0000-0001.json": `{"schema_version": "1.3.1", "id": "GO-0000-0001", ` + modified + `, "summary": "made up",
			"affected": [{"package": {"name": "stdlib", "ecosystem": "Go"}, "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}],
			"ecosystem_specific": {"imports": [{"path": "strings", "symbols": ["Repeat"]}]}}]}`,
	})
	return dir
}

func fill(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
