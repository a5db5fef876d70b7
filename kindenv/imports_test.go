package kindenv_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/magekind/magekind"

// listed is what `go list` tells of a package.
type listed struct {
	ImportPath string
	Imports    []string
}

func (p listed) within(path string) bool { return within(p.ImportPath, path) }

func within(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// TestImports holds who may import whom: targets → kindenv → cloudprovider →
// engine, and each client library in one place.
func TestImports(t *testing.T) {
	t.Parallel()
	packages := list(t)
	mayImport := func(path string, allowed ...string) {
		for _, p := range packages {
			for _, imported := range p.Imports {
				if within(imported, path) && !slices.ContainsFunc(append(allowed, path), p.within) {
					t.Errorf("%s imports %s, which only %q may", p.ImportPath, imported, allowed)
				}
			}
		}
	}
	mayImport("github.com/docker/docker", module+"/cloudprovider/engine/docker", module+"/magefiles")
	mayImport("sigs.k8s.io/kind/pkg/cluster", module+"/kindenv/internal/kind")
	mayImport("sigs.k8s.io/kind/pkg/log", module+"/kindenv/internal/kind", module+"/kindenv/internal/progress")
	mayImport("sigs.k8s.io/kind", module+"/kindenv/internal/kind", module+"/kindenv/internal/progress", module+"/magefiles")
	mayImport("github.com/magefile/mage", module+"/targets", module+"/magefiles", module+"/examples")
	mayImport("github.com/sethvargo/go-retry", module+"/cloudprovider/engine/retry")
	mayImport("k8s.io/client-go")
	mayImport(module+"/cloudprovider/engine/docker", module+"/kindenv", module+"/magefiles")
	mayImport(module+"/kindenv", module+"/targets", module+"/magefiles", module+"/examples")
	mayImport(module+"/targets", module+"/magefiles", module+"/examples")
	mayImport(module + "/magefiles")

	mayUse := func(path string, allowed ...string) {
		for _, p := range packages {
			if !p.within(path) {
				continue
			}
			for _, imported := range p.Imports {
				if within(imported, module) && !slices.ContainsFunc(append(allowed, path), func(a string) bool { return within(imported, a) }) {
					t.Errorf("%s imports %s, but of this module it may use only %q", p.ImportPath, imported, allowed)
				}
			}
		}
	}
	mayUse(module + "/templates")
	mayUse(module + "/cloudprovider/engine")
	mayUse(module + "/cloudprovider")
	mayUse(module+"/kindenv", module+"/cloudprovider", module+"/templates")
	// the adapter is wired where the engine is opened, and nowhere else
	for _, p := range packages {
		if p.within(module+"/kindenv/internal") && slices.Contains(p.Imports, module+"/cloudprovider/engine/docker") {
			t.Errorf("%s imports the docker adapter", p.ImportPath)
		}
	}
}

// list returns the module's packages with what their non-test files import.
func list(t *testing.T) []listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", "-tags=mage", module+"/...")
	out, err := cmd.Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			t.Fatalf("go list: %v\n%s", err, failed.Stderr)
		}
		t.Fatal(err)
	}
	var packages []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	if len(packages) < 10 {
		t.Fatalf("go list found %d packages", len(packages))
	}
	return packages
}
