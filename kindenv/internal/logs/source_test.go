package logs_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv/internal/logs"
)

func TestContainer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fake := enginetest.NewFake()
		id := fake.Put(engine.Container{Name: "proxy", StartedAt: time.Now()})
		line := func(text string) {
			if err := fake.AppendLog(id, text); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		for i := range 5 {
			line(fmt.Sprint("old ", i))
		}
		find := func(ctx context.Context) ([]logs.Source, error) {
			containers, err := fake.List(ctx, nil)
			var sources []logs.Source
			for _, c := range containers {
				sources = append(sources, logs.Container(fake, c, "p", engine.LogOptions{Follow: true, Tail: 2}))
			}
			return sources, err
		}
		ctx, cancel := context.WithCancel(t.Context())
		out, result := new(buffer), make(chan error, 1)
		go func() { result <- logs.Stream(ctx, find, out, logs.Options{}) }()
		synctest.Wait()
		line("new")
		time.Sleep(time.Millisecond) // lines are older than the end of their run
		if err := fake.Exit(id, 1); err != nil {
			t.Fatal(err)
		}
		time.Sleep(4500 * time.Millisecond) // exited, listed all the time, and back between two looks
		if err := fake.Start(ctx, id); err != nil {
			t.Fatal(err)
		}
		line("back")
		line("with more lines")
		line("than the tail")
		time.Sleep(2 * time.Second)
		line("on")
		cancel()
		if err := <-result; err != nil {
			t.Fatal(err)
		}
		check(t, out.String(), "p │ old 3\np │ old 4\np │ new\np │ back\np │ with more lines\np │ than the tail\np │ on\n")
	})
}

// node is an engine.Execer with a journal.
type node struct {
	lines    string // the output of the command
	code     int
	commands []string
	killErr  error // of kill's context
}

func (n *node) Exec(ctx context.Context, _ string, command []string, out io.Writer) (int, error) {
	n.commands = append(n.commands, strings.Join(command, " "))
	if command[0] == "kill" {
		n.killErr = ctx.Err()
		return 0, n.killErr
	}
	for _, part := range []string{"4", "2\nfirst", " line\n", n.lines} { // the process ID in two parts
		if _, err := io.WriteString(out, part); err != nil {
			return 0, err
		}
	}
	if strings.Contains(command[2], "--follow") {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	return n.code, nil
}

func TestJournal(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		opts  engine.LogOptions
		since time.Time
		want  []string
	}{
		{"limit", engine.LogOptions{}, time.Time{}, []string{"journalctl --no-pager --no-hostname --lines=all"}},
		{"all", engine.LogOptions{}, time.Time{}, []string{"journalctl --no-pager --no-hostname --lines=all"}},
		{"tail", engine.LogOptions{Tail: 7}, time.Time{}, []string{"journalctl --no-pager --no-hostname --lines=7"}},
		{"follow", engine.LogOptions{Tail: 50, Follow: true}, time.Time{}, []string{"timeout 1800 journalctl --no-pager --no-hostname --follow --lines=50", "kill 42"}},
		{"resume", engine.LogOptions{Tail: 50, Follow: true}, time.Unix(1700000000, 250_000_000), []string{
			"timeout 1800 journalctl --no-pager --no-hostname --follow --lines=all --since=@1700000000.250000", "kill 42",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				n, out := &node{lines: "second line\n"}, new(bytes.Buffer)
				if test.name == "limit" {
					n.code = 124 // of timeout(1): another one follows
				}
				source := logs.Journal(n, engine.Container{ID: "1"}, "x", test.opts)
				if err := source.Stream(ctx, test.since, out); err != nil && !test.opts.Follow {
					t.Fatal(err)
				}
				check(t, out.String(), "first line\nsecond line\n")
				if n.killErr != nil {
					t.Errorf("kill was called with a context that is over: %v", n.killErr)
				}
				for i := range n.commands {
					n.commands[i] = strings.TrimPrefix(n.commands[i], "sh -c echo $$; exec ")
				}
				if !slices.Equal(n.commands, test.want) {
					t.Errorf("got commands %q, want %q", n.commands, test.want)
				}
			})
		})
	}
}

func TestJournalFails(t *testing.T) {
	t.Parallel()
	fake := enginetest.NewFake()
	fake.AddImage("node")
	fake.Script(func(engine.Spec) enginetest.Behaviour {
		return enginetest.Behaviour{OnExec: func([]string) (string, int) { return "sh: journalctl: not found\n", 127 }}
	})
	id, err := fake.Create(t.Context(), engine.Spec{Name: "node", Image: "node"})
	if err == nil {
		err = fake.Start(t.Context(), id)
	}
	if err != nil {
		t.Fatal(err)
	}
	out := new(bytes.Buffer)
	err = logs.Journal(fake, engine.Container{ID: id}, "x", engine.LogOptions{}).Stream(t.Context(), time.Time{}, out)
	if err == nil || !strings.Contains(err.Error(), "exit code 127") {
		t.Errorf("got error %v, want one with the exit code", err)
	}
	check(t, out.String(), "sh: journalctl: not found\n")
}
