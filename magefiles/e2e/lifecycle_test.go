//go:build e2e

package e2e

import (
	"slices"
	"strings"
	"testing"
)

// TestLifecycle follows one environment from nothing to nothing.
func TestLifecycle(t *testing.T) {
	t.Parallel()
	p := newProject(t, 0)
	steps := []struct {
		name string
		run  func(*testing.T, *project)
	}{
		{"status before up", statusOfNothing},
		{"up makes it ready", upMakesItReady},
		{"the kubeconfig works with kubectl", func(_ *testing.T, p *project) { p.assertNodes(1) }},
		{"the load balancer answers from the host", func(_ *testing.T, p *project) { p.assertServes() }},
		{"status when ready", statusOfReady},
		{"up again recreates nothing", upAgain},
		{"logs follow and stop nothing", logsFollow},
		{"a stopped mage takes the target with it", stoppedMage},
		{"down removes everything of the cluster", downRemovesAll},
		{"down again succeeds", func(_ *testing.T, p *project) { p.mage("env:down"); p.assertGone() }},
	}
	for _, step := range steps {
		if !t.Run(step.name, func(t *testing.T) { step.run(t, p.in(t)) }) {
			t.Fatalf("%q failed; what follows builds on it", step.name)
		}
	}
}

func statusOfNothing(t *testing.T, p *project) {
	if out := p.mage("env:status"); !strings.Contains(out, p.name) {
		t.Errorf("status does not name the cluster:\n%s", out)
	}
	if got := p.snapshot(); len(got) > 0 {
		t.Errorf("status made containers: %q", got)
	}
}

func upMakesItReady(t *testing.T, p *project) {
	out := p.mage("env:up")
	for _, want := range []string{"kind-" + p.name, p.cache, "control-plane: running, Ready", "default/hello: "} {
		if !strings.Contains(out, want) {
			t.Errorf("the summary lacks %q:\n%s", want, out)
		}
	}
	if files := p.ownKubeconfigs(); len(files) != 1 {
		t.Errorf("own kubeconfig files = %q; want one", files)
	}
}

func statusOfReady(t *testing.T, p *project) {
	out := p.mage("env:status")
	for _, want := range []string{p.name, "default/hello"} {
		if !strings.Contains(out, want) {
			t.Errorf("status lacks %q:\n%s", want, out)
		}
	}
}

func upAgain(t *testing.T, p *project) {
	before := p.snapshot()
	if len(before) < 3 {
		t.Errorf("containers = %q; want a node, a cloud provider and a load balancer", before)
	}
	p.mage("env:up")
	if after := p.snapshot(); !slices.Equal(before, after) {
		t.Errorf("containers after the second up:\n%q\nwant those from before:\n%q", after, before)
	}
	p.assertServes()
}

func downRemovesAll(t *testing.T, p *project) {
	p.mage("env:down")
	p.assertGone()
}
