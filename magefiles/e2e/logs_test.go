//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// logsFollow interrupts env:logs as Ctrl-C does once every source has spoken.
func logsFollow(t *testing.T, p *project) {
	before := p.snapshot()
	cmd, out := p.command(t.Context(), "env:logs")
	if err := shared.made.start(cmd); err != nil {
		t.Fatal(err)
	}
	eventually(t, time.Minute, func(context.Context) error { return saysAll(out.String()) })
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(cmd.Wait()); code != 0 {
		t.Errorf("env:logs exits with %d after an interrupt; want 0\n%s", code, tail(out.String()))
	}
	if after := p.snapshot(); !slices.Equal(before, after) {
		t.Errorf("containers after env:logs:\n%q\nwant those from before:\n%q", after, before)
	}
}

// saysAll wants a line of the node's journal, of the cloud provider, and of the
// load balancer, each with its source in front.
func saysAll(text string) error {
	sources := map[string]int{}
	for line := range strings.Lines(text) {
		source, _, _ := strings.Cut(line, "│")
		sources[strings.TrimSpace(source)]++
	}
	for _, want := range []string{"control-plane", "cloud-provider", "default/hello"} {
		if sources[want] == 0 {
			return fmt.Errorf("no line of %q; lines by source: %v", want, sources)
		}
	}
	return nil
}

// stoppedMage sends SIGTERM to mage alone, which has no handler for it.
func stoppedMage(t *testing.T, p *project) {
	cmd, out := p.command(t.Context(), "env:logs")
	if err := shared.made.start(cmd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }) // there is nobody left if all is well
	eventually(t, time.Minute, func(context.Context) error {
		if out.String() == "" {
			return fmt.Errorf("env:logs prints nothing")
		}
		return nil
	})
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // mage was killed by the signal; what matters is its child
	eventually(t, 20*time.Second, func(context.Context) error {
		if left := members(t, cmd.Process.Pid); len(left) > 0 {
			return fmt.Errorf("processes %v of the group outlive mage", left)
		}
		return nil
	})
}

// tail is the end of a long output.
func tail(text string) string { return text[max(0, len(text)-2000):] }

// members lists the processes of a process group.
func members(t *testing.T, group int) []string {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // it ended meanwhile
		}
		_, rest, _ := strings.Cut(string(data), ") ")
		fields := strings.Fields(rest) // state, parent, group, …
		if len(fields) > 2 && fields[2] == strconv.Itoa(group) && fields[0] != "Z" {
			found = append(found, string(data))
		}
	}
	return found
}
