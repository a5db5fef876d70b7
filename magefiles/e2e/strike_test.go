//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/moment"
)

// strike is one killing of a target in the middle.
type strike struct {
	target string
	when   moment.Moment
	making bool // kill when the engine is asked to make the node, whenever that is
	alone  bool // kill the magefile alone: docker commands that it runs live on
	then   string
}

func (s strike) String() string {
	who, when := "all of mage", s.when.String()
	if s.alone {
		who = "the magefile alone"
	}
	if s.making {
		when = "while docker makes the node"
	}
	return fmt.Sprintf("%s killed %s, %s, then %s", s.target, when, who, s.then)
}

// strike runs the target and kills it, unless it has ended before.
func (p *project) strike(s strike) {
	p.t.Helper()
	cmd, buffer := p.command(p.t.Context(), s.target)
	reader, writer, err := os.Pipe() // what lives on may keep it open, which is nothing to wait for
	if err != nil {
		p.t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = writer, writer
	if err := shared.made.start(cmd); err != nil {
		p.t.Fatal(err)
	}
	_ = writer.Close()
	p.groups = append(p.groups, cmd.Process.Pid)
	go func() { _, _ = io.Copy(buffer, reader); _ = reader.Close() }()
	running, end := context.WithCancel(p.t.Context())
	result := make(chan error, 1)
	go func() { result <- cmd.Wait(); end() }()
	if s.making {
		awaitMaking(running, p.t, cmd.Process.Pid)
	} else {
		buffer.await(running, s.when)
	}
	ended := running.Err() != nil
	who := kill(p.t, cmd, s.alone)
	err = <-result
	p.t.Logf("%s: %s killed after %s: %v; %s", p.name, who, buffer.timeline().End.Round(time.Millisecond), err, lastLine(buffer.String()))
	switch {
	case err == nil: // it had done all, though we had not heard of its end yet
		count(p.t, "kills-that-came-too-late", 1)
	case !ended:
		count(p.t, "kills-of-"+s.target, 1)
	default: // as kubeadm does on a machine that has no time for it
		count(p.t, "failures-without-a-kill", 1)
	}
}

// kill kills the command's process group, or the magefile that mage runs, alone.
func kill(t *testing.T, cmd *exec.Cmd, alone bool) (who string) {
	t.Helper()
	group := cmd.Process.Pid
	if alone {
		if id, ok := magefile(t, cmd); ok {
			_ = syscall.Kill(id, syscall.SIGKILL)
			return "the magefile"
		}
	}
	_ = syscall.Kill(-group, syscall.SIGKILL)
	return "mage"
}

// magefile is the process ID of the magefile that mage runs, if it does.
func magefile(t *testing.T, cmd *exec.Cmd) (id int, ok bool) {
	t.Helper()
	for _, process := range processes(t, cmd.Process.Pid) {
		if process.parent == cmd.Process.Pid && slices.Contains(process.args, cmd.Args[1]) {
			return process.id, true
		}
	}
	return 0, false
}

// awaitMaking waits until docker has been asked to make a node.
func awaitMaking(ctx context.Context, t *testing.T, group int) {
	t.Helper()
	for ctx.Err() == nil {
		for _, process := range processes(t, group) {
			if strings.HasSuffix(process.args[0], "docker") && slices.Contains(process.args, "run") {
				return
			}
		}
		time.Sleep(time.Millisecond)
	}
}

// process is a living one.
type process struct {
	id, parent int
	args       []string
}

// processes are those of a group.
func processes(t *testing.T, group int) []process {
	t.Helper()
	var found []process
	for _, stat := range members(t, group) {
		id, rest, _ := strings.Cut(stat, " ")
		_, rest, _ = strings.Cut(rest, ") ")
		line, err := os.ReadFile("/proc/" + id + "/cmdline")
		fields := strings.Fields(rest)
		if err != nil || len(line) == 0 || len(fields) < 2 {
			continue // it ended meanwhile
		}
		number, _ := strconv.Atoi(id)
		parent, _ := strconv.Atoi(fields[1])
		found = append(found, process{number, parent, strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")})
	}
	return found
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return fmt.Sprintf("%d lines, the last one %q", len(lines), lines[len(lines)-1])
}
