//go:build unix

package group_test

import (
	"bufio"
	"context"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/group"
)

// parent has a child in the foreground and, as the go command does, leaves an
// interrupt to it without passing it on.
const parent = `trap : INT; sh -c 'trap "echo interrupted; exit" INT; echo ready; while :; do sleep 0.1; done'; true`

func TestLeadInterruptsWhatTheCommandStarted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, "bash", "-c", parent)
	group.Lead(cmd)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tooLong := time.AfterFunc(5*time.Minute, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer tooLong.Stop()
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		t.Fatalf("the child says %q, want ready", lines.Text())
	}
	cancel()
	if !lines.Scan() || lines.Text() != "interrupted" {
		t.Errorf("the child says %q after the cancel, want interrupted", lines.Text())
	}
	_ = cmd.Wait()
}
