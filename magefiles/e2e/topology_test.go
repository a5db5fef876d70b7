//go:build e2e

package e2e

import "testing"

// TestWorker has a control plane and a worker, which the load balancer sends to.
func TestWorker(t *testing.T) {
	t.Parallel()
	p := newProject(t, 1)
	p.mage("env:up")
	p.assertNodes(2)
	p.assertServes()
	p.mage("env:down")
	p.assertGone()
}
