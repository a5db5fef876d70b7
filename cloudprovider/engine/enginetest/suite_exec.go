package enginetest

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

func execChecks() []check {
	return []check{
		{"an absent container is not found", func(t *testing.T, b *bench) {
			_, _, err := b.exec(t, absent, "exit=0")
			wants(t, "Exec", err, engine.ErrNotFound)
		}},
		{"a command's output and exit code come back", execs},
		{"stdout and stderr are both there", execsBoth},
		{"a command in a container that does not run is a conflict", execsStopped},
		{"a command in a paused container is a conflict", execsPaused},
		{"files that were copied in are seen", execsFiles},
		{"exec ends with ctx, and with its error", execCancelled},
	}
}

func (b *bench) execer(t *testing.T) engine.Execer {
	t.Helper()
	e, ok := b.Engine.(engine.Execer)
	if !ok {
		t.Skip("the engine does not run commands")
	}
	return e
}

// exec follows orders in a container.
func (b *bench) exec(t *testing.T, id string, orders ...string) (string, int, error) {
	t.Helper()
	var out buffer
	code, err := b.execer(t).Exec(t.Context(), id, append([]string{b.Program}, orders...), &out)
	return out.String(), code, err
}

func execs(t *testing.T, b *bench) {
	id := b.start(t, "wait")
	for _, want := range []int{0, 1, 42} {
		out, code, err := b.exec(t, id, "out=hello", "exit="+strconv.Itoa(want))
		must(t, "Exec", err)
		same(t, "exit code", code, want)
		same(t, "output", out, "hello\n")
	}
}

func execsBoth(t *testing.T, b *bench) {
	out, _, err := b.exec(t, b.start(t, "wait"), "out=one", "err=two")
	must(t, "Exec", err)
	lines := strings.Fields(out)
	slices.Sort(lines)
	same(t, "lines", strings.Join(lines, " "), "one two")
}

func execsStopped(t *testing.T, b *bench) {
	id := b.create(t, b.spec("exit=0"))
	_, _, err := b.exec(t, id, "exit=0")
	wants(t, "Exec in a created one", err, engine.ErrConflict)
	must(t, "Start", b.Engine.Start(t.Context(), id))
	b.exited(t, id)
	_, _, err = b.exec(t, id, "exit=0")
	wants(t, "Exec in an exited one", err, engine.ErrConflict)
}

func execsPaused(t *testing.T, b *bench) {
	_, _, err := b.exec(t, b.paused(t), "exit=0")
	wants(t, "Exec", err, engine.ErrConflict)
}

func execsFiles(t *testing.T, b *bench) {
	spec := b.spec("wait")
	spec.Files = []engine.File{{Path: "/etc/own", Content: []byte("own\n")}}
	id := b.create(t, spec)
	must(t, "Start", b.Engine.Start(t.Context(), id))
	out, _, err := b.exec(t, id, "cat=/etc/own")
	must(t, "Exec", err)
	same(t, "output", out, "own\n")
}

func execCancelled(t *testing.T, b *bench) {
	e, id := b.execer(t), b.start(t, "wait")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := e.Exec(ctx, id, []string{b.Program, "say=begun", "wait"}, new(buffer))
		done <- err
	}()
	b.says(t, id, "begun")
	cancel()
	wants(t, "Exec", <-done, context.Canceled)
	same(t, "state", b.get(t, id).State, engine.Running)
}
