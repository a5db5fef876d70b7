package logs

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

const (
	// killTimeout bounds the end of a journalctl that was being followed.
	killTimeout = 2 * time.Second
	// maxFollow bounds a journalctl that nobody can end because this process was
	// killed. One that reaches it while it is read is followed by another.
	maxFollow = 30 * time.Minute
	// timedOut is the exit code of timeout(1) when it ended the command.
	timedOut = 124
)

// Journal is the systemd journal of a node. opts.Tail says how many of its last
// lines come first (0 or less: all); opts.Since is ignored.
func Journal(from engine.Execer, node engine.Container, name string, opts engine.LogOptions) Source {
	return Source{
		Name: name, ID: node.ID + "/journal", Started: node.StartedAt, Ended: node.State != engine.Running,
		Stream: func(ctx context.Context, since time.Time, out io.Writer) error {
			return readJournal(ctx, from, node.ID, journalctl(opts, since), out)
		},
	}
}

func journalctl(opts engine.LogOptions, since time.Time) string {
	command := "journalctl --no-pager --no-hostname"
	if opts.Follow {
		command = fmt.Sprintf("timeout %d %s --follow", int(maxFollow.Seconds()), command)
	}
	switch {
	case !since.IsZero():
		return fmt.Sprintf("%s --lines=all --since=@%d.%06d", command, since.Unix(), since.Nanosecond()/1000)
	case opts.Tail > 0:
		return fmt.Sprintf("%s --lines=%d", command, opts.Tail)
	}
	return command + " --lines=all"
}

// readJournal runs command, which is told to write its process ID first: a
// command outlives the call that runs it, so it has to be ended by hand.
func readJournal(ctx context.Context, from engine.Execer, node, command string, out io.Writer) error {
	head := &pidWriter{out: out}
	code, err := from.Exec(ctx, node, []string{"sh", "-c", "echo $$; exec " + command}, head)
	if pid := head.pid(); ctx.Err() != nil && pid > 0 {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), killTimeout)
		defer cancel()
		_, _ = from.Exec(last, node, []string{"kill", strconv.Itoa(pid)}, io.Discard)
	}
	if err == nil && code != 0 && code != timedOut {
		return fmt.Errorf("%s: exit code %d", command, code)
	}
	return err
}

// pidWriter takes a first line with a process ID off what it writes to out.
type pidWriter struct {
	out io.Writer

	mu    sync.Mutex
	first []byte // the first line, as far as it is known
	done  bool   // it is known
}

func (w *pidWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	rest := p
	if !w.done {
		line, after, found := bytes.Cut(p, []byte("\n"))
		w.first = append(w.first, line...)
		w.done, rest = found, after
		if _, err := strconv.Atoi(string(w.first)); found && err != nil {
			rest = append(append(w.first, '\n'), after...) // the shell complains
		}
	}
	if len(rest) > 0 {
		if _, err := w.out.Write(rest); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// pid returns the process ID, or 0 when it is not known.
func (w *pidWriter) pid() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	pid, err := strconv.Atoi(strings.TrimSpace(string(w.first)))
	if err != nil || !w.done {
		return 0
	}
	return pid
}
