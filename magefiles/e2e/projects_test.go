//go:build e2e

package e2e

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestTwoProjects has two projects on one engine at the same time, and
// containers that look like a load balancer but belong to neither.
func TestTwoProjects(t *testing.T) {
	t.Parallel()
	one, two := newProject(t, 0), newProject(t, 0)
	bare := foreign(t, "io.x-k8s.cloud-provider-kind.cluster")
	other := foreign(t, "io.x-k8s.cloud-provider-kind.cluster="+one.name+"-of-someone-else")

	t.Run("both come up at once", func(t *testing.T) {
		bothUp(t, one, two)
		one.in(t).assertServes()
		two.in(t).assertServes()
	})
	if t.Failed() {
		t.FailNow()
	}
	t.Run("one goes and the other keeps serving", func(t *testing.T) {
		two := two.in(t)
		before, address := two.snapshot(), two.assertServes()
		one.in(t).mage("env:down")
		one.in(t).assertGone()
		if page, err := get(t.Context(), address); err != nil || !strings.Contains(page, two.name) {
			t.Errorf("right after the other's down: %q, %v; want the page of %s", page, err, two.name)
		}
		if after := two.snapshot(); !slices.Equal(before, after) {
			t.Errorf("the other's containers:\n%q\nwant them as before:\n%q", after, before)
		}
		two.assertServes()
	})
	t.Run("foreign containers are not touched", func(t *testing.T) {
		two.in(t).mage("env:down")
		two.in(t).assertGone()
		for _, id := range []string{bare, other} {
			if got := containers(t.Context(), t, "id="+id); !slices.Equal(got, []string{id}) {
				t.Errorf("container %s is gone", id)
			}
		}
	})
}

// bothUp runs env:up in both projects at the same time.
func bothUp(t *testing.T, projects ...*project) {
	t.Helper()
	var wg sync.WaitGroup
	for _, p := range projects {
		wg.Go(func() {
			if out, err := p.in(t).try("env:up"); err != nil {
				t.Errorf("%s: %v\n%s", p.name, err, out)
			}
		})
	}
	wg.Wait()
}

// foreign creates a container with one label, which is removed with the test.
func foreign(t *testing.T, label string) string {
	t.Helper()
	id := docker(t.Context(), t, "create", "--label", label, exampleImage())
	t.Cleanup(func() { docker(cleanup(t), t, "rm", "-f", id) })
	return id
}
