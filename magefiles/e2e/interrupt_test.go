//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"
)

// TestInterrupted stops env:up in the middle of the cluster's creation, by what
// Ctrl-C sends, and goes on from there. [TestKilled] does so by what cannot be caught.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	t.Run("then up", func(t *testing.T) {
		t.Parallel()
		p := newProject(t, 0)
		p.interruptUp()
		p.mage("env:up")
		p.assertNodes(1)
		p.assertServes()
		p.mage("env:down")
		p.assertNothingLeft(nil)
	})
	t.Run("then down", func(t *testing.T) {
		t.Parallel()
		p := newProject(t, 0)
		p.interruptUp()
		p.mage("env:down")
		p.assertNothingLeft(nil)
	})
}

// interruptUp starts env:up and interrupts its process group, as a terminal does,
// once the node's container runs.
func (p *project) interruptUp() {
	p.t.Helper()
	cmd, out := p.command(p.t.Context(), "env:up")
	if err := shared.made.start(cmd); err != nil {
		p.t.Fatal(err)
	}
	eventually(p.t, 4*time.Minute, func(ctx context.Context) error {
		if len(containers(ctx, p.t, labels(p.name)[0], "status=running")) == 0 {
			return fmt.Errorf("no node container yet:\n%s", out)
		}
		return nil
	})
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGINT); err != nil {
		p.t.Fatal(err)
	}
	start := time.Now()
	if err := cmd.Wait(); err == nil {
		p.t.Errorf("env:up succeeds although it was interrupted:\n%s", out)
	}
	p.t.Logf("mage ended %s after the interrupt:\n%s", time.Since(start).Round(100*time.Millisecond), out)
}
