package targets_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/magekind/magekind/magefiles/consumer"
)

// importsOf lists the module's packages below the given patterns and what each
// imports, directly or also through others.
func importsOf(t *testing.T, root, list string, patterns ...string) map[string][]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-f", "{{.ImportPath}} {{join ." + list + " \" \"}}"}, patterns...)...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		imports[strings.TrimPrefix(fields[0], consumer.Module+"/")] = fields[1:]
	}
	return imports
}

// TestImportsAreWhereTheyBelong keeps each dependency in the one package that
// is made for it.
func TestImportsAreWhereTheyBelong(t *testing.T) {
	t.Parallel()
	root, err := consumer.Root()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		dependency string
		importers  []string
	}{
		{"github.com/magefile/mage", []string{"targets"}},
		{"github.com/docker/docker", []string{"cloudprovider/engine/docker"}},
		{"sigs.k8s.io/kind", []string{"kindenv/internal/kind", "kindenv/internal/kind/kindtest", "kindenv/internal/progress"}},
		{"github.com/sethvargo/go-retry", []string{"cloudprovider/engine/retry"}},
		{consumer.Module + "/cloudprovider/engine/docker", []string{"kindenv"}},
		{consumer.Module + "/targets", nil},
		{consumer.Module + "/kindenv", []string{"targets", "kindenv", "kindenv/internal/kind/kindtest"}},
		{consumer.Module + "/magefiles", nil},
	}
	all := importsOf(t, root, "Imports", "./targets", "./kindenv/...", "./cloudprovider/...", "./templates")
	if len(all) < 10 {
		t.Fatalf("go list knows %d packages; want all of the module", len(all))
	}
	for _, tt := range tests {
		for importer, imports := range all {
			uses := slices.ContainsFunc(imports, func(path string) bool {
				return path == tt.dependency || strings.HasPrefix(path, tt.dependency+"/")
			})
			internal := strings.HasPrefix(importer, "kindenv/internal/") && tt.dependency == consumer.Module+"/kindenv"
			if uses && !internal && !slices.Contains(tt.importers, importer) {
				t.Errorf("%s imports %s; only %q may", importer, tt.dependency, tt.importers)
			}
		}
	}
}

// TestLinksNoClientGo: it would make a project's first build five times as long.
func TestLinksNoClientGo(t *testing.T) {
	t.Parallel()
	root, err := consumer.Root()
	if err != nil {
		t.Fatal(err)
	}
	linked := importsOf(t, root, "Deps", "./targets")["targets"]
	if len(linked) < 200 {
		t.Fatalf("targets links %d packages; want kind and the docker client at least", len(linked))
	}
	for _, path := range linked {
		if strings.HasPrefix(path, "k8s.io/") || path == "testing" || strings.HasSuffix(path, "/enginetest") {
			t.Errorf("targets links %s", path)
		}
	}
	t.Logf("a project's magefile links %d packages through targets", len(linked))
}

// TestTemplatesImportNothingOfOurs: they are data.
func TestTemplatesImportNothingOfOurs(t *testing.T) {
	t.Parallel()
	root, err := consumer.Root()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range importsOf(t, root, "Deps", "./templates")["templates"] {
		if strings.HasPrefix(path, consumer.Module) {
			t.Errorf("templates imports %s", path)
		}
	}
}
