package name_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/name"
)

// What a name must be for others, in their words.
var (
	kindsRule = regexp.MustCompile(`^[a-z0-9.-]+$`)
	// a node's name, which begins with the cluster's, is a DNS subdomain in Kubernetes
	subdomain = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
)

// mustServe fails unless cluster can be the name of a cluster with that many control planes.
func mustServe(t *testing.T, cluster string, controlPlanes int) {
	t.Helper()
	endings := []string{"-control-plane", "-worker10"}
	if controlPlanes > 1 {
		endings = append(endings, "-external-load-balancer", "-control-plane9")
	}
	if !kindsRule.MatchString(cluster) {
		t.Errorf("kind refuses %q", cluster)
	}
	for _, ending := range endings {
		if node := cluster + ending; len(node) > 63 || !subdomain.MatchString(node) {
			t.Errorf("Kubernetes refuses node %q, of %d characters", node, len(node))
		}
	}
}

// texts are for what names come from: folders, module paths, variables.
func texts() []string {
	long := strings.Repeat("long-", 20)
	return []string{
		"", "shop", "Shop", "a", "-", "..", "a..b", "a.-b", "--a--", "a_b", "été", "日本", "a b", "a/b", "$(id)", "`id`", "x;y", "{{.}}",
		"a\nb", "a\x00b", "%s", "\xff", long, long + "x", strings.ToUpper(long), strings.Repeat(".", 50), strings.Repeat("a", 40),
		strings.Repeat("a", 41), strings.Repeat("a", 39) + "-.b", "İ", "K",
	}
}

// FuzzCheckSeveral: what passes for several control planes is good for kind, and
// for Kubernetes with every ending that kind gives a node's name.
func FuzzCheckSeveral(f *testing.F) {
	for _, s := range texts() {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, controlPlanes int) {
		if name.Check(s, controlPlanes) == nil {
			mustServe(t, s, controlPlanes)
		}
	})
}

// FuzzDeriveApart: two long texts never give the same name.
func FuzzDeriveApart(f *testing.F) {
	for i, s := range texts() {
		f.Add(s, texts()[(i+1)%len(texts())])
	}
	tail := strings.Repeat("x", name.MaxSeveral+1)
	f.Fuzz(func(t *testing.T, s, other string) {
		a, b := name.Derive(s+tail), name.Derive(other+tail)
		if s != other && a == b {
			t.Errorf("%q and %q, made longer, meet in %q", s, other, a)
		}
		mustServe(t, a, 3)
	})
}

// FuzzResolve: whatever is in the settings, the environment and the project, the
// result passes, and what was given is not changed.
func FuzzResolve(f *testing.F) {
	for _, s := range texts() {
		f.Add(s, "", "module example.com/shop")
		f.Add("", s, "module example.com/"+s)
		f.Add("", "", "module \""+s+"/v2\"\n")
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, explicit, env, mod string) {
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := name.Resolve(explicit, env, dir)
		if err != nil {
			return
		}
		mustServe(t, got, 1)
		if given := explicit + env; (explicit == "" || env == "") && given != "" && got != given {
			t.Errorf("%q became %q", given, got)
		}
	})
}
