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
// Ctrl-C sends and by what cannot be caught, and goes on from there.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	signals := []struct {
		name   string
		signal syscall.Signal
	}{
		{"SIGINT", syscall.SIGINT},
		{"SIGKILL", syscall.SIGKILL},
	}
	for _, s := range signals {
		t.Run(s.name+" then up", func(t *testing.T) {
			t.Parallel()
			p := newProject(t, 0)
			p.interruptUp(s.signal)
			p.mage("env:up")
			p.assertNodes(1)
			p.assertServes()
			p.mage("env:down")
			p.assertGone()
		})
		t.Run(s.name+" then down", func(t *testing.T) {
			t.Parallel()
			p := newProject(t, 0)
			p.interruptUp(s.signal)
			p.mage("env:down")
			p.assertGone()
		})
	}
}

// interruptUp starts env:up and signals its process group, as a terminal does,
// once the node's container runs.
func (p *project) interruptUp(sig syscall.Signal) {
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
	if err := syscall.Kill(-cmd.Process.Pid, sig); err != nil {
		p.t.Fatal(err)
	}
	start := time.Now()
	if err := cmd.Wait(); err == nil {
		p.t.Errorf("env:up succeeds although %s came in the middle:\n%s", sig, out)
	}
	p.t.Logf("mage ended %s after %s:\n%s", time.Since(start).Round(100*time.Millisecond), sig, out)
}
