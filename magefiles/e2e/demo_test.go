//go:build e2e

package e2e

import (
	"os"
	"strings"
	"testing"
)

// TestDemo runs in the working tree what a newcomer runs there first, on a
// cluster of the suite's own, and then the targets on the same environment.
func TestDemo(t *testing.T) {
	t.Parallel()
	p := newProject(t, 0)
	p.dir = shared.root
	p.cache = cacheDir(t) // the real one: the engine and what the images are made of are found there
	p.env = append(os.Environ(), "KUBECONFIG="+p.kubeconfig, "KIND_CLUSTER_NAME="+p.name, "NO_COLOR=1")

	out := p.mage("demo")
	address := p.assertDemoPage(out)
	before := p.snapshot()
	p.mage("env:up")
	if after := p.snapshot(); strings.Join(before, "\n") != strings.Join(after, "\n") {
		t.Errorf("containers after env:up:\n%q\nwant those of the demo:\n%q", after, before)
	}
	if out := p.mage("env:status"); !strings.Contains(out, strings.TrimPrefix(address, "http://")) || strings.Contains(out, "outdated") {
		t.Errorf("the status lacks the address %s, or takes the cloud provider for outdated:\n%s", address, out)
	}
	p.mage("env:down")
	p.assertGone()
}

// assertDemoPage checks that the demo ends with the address of a page that is
// there, and returns the address.
func (p *project) assertDemoPage(out string) string {
	p.t.Helper()
	_, rest, found := strings.Cut(out, "load balancer is at ")
	address, _, _ := strings.Cut(rest, " ")
	if !found || !strings.Contains(rest, "Hello from hello-") {
		p.t.Fatalf("the demo does not end with an address and its page:\n%s", out)
	}
	page, err := get(p.t.Context(), address)
	if err != nil || !strings.Contains(page, "Hello from hello-") {
		p.t.Errorf("%s gives %q, %v; want the page that the demo shows", address, page, err)
	}
	return address
}

func cacheDir(t *testing.T) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
