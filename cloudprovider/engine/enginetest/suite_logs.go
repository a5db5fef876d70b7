package enginetest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

func logChecks() []check {
	return []check{
		{"an absent container is not found", func(t *testing.T, b *bench) {
			err := b.streamer(t).Logs(t.Context(), absent, engine.LogOptions{}, new(buffer))
			wants(t, "Logs", err, engine.ErrNotFound)
		}},
		{"stdout and stderr are both there", logsBoth},
		{"a container that never started has no output", logsNothing},
		{"tail gives the last lines", logsTail},
		{"since leaves out what is older", logsSince},
		{"without follow it ends while the container runs", logsOnce},
		{"follow ends with the container", logsFollow},
		{"follow ends with ctx, and with its error", logsCancelled},
	}
}

func (b *bench) streamer(t *testing.T) engine.LogStreamer {
	t.Helper()
	s, ok := b.Engine.(engine.LogStreamer)
	if !ok {
		t.Skip("the engine does not stream logs")
	}
	return s
}

// logs returns a container's output.
func (b *bench) logs(t *testing.T, id string, opts engine.LogOptions) string {
	t.Helper()
	var out bytes.Buffer
	must(t, "Logs", b.streamer(t).Logs(t.Context(), id, opts, &out))
	return out.String()
}

// says waits until a container has printed a line.
func (b *bench) says(t *testing.T, id, line string) {
	t.Helper()
	if _, ok := b.Engine.(engine.LogStreamer); !ok {
		return
	}
	await(t, line, func() string { return b.logs(t, id, engine.LogOptions{}) })
}

// await waits until text has a line.
func await(t *testing.T, line string, text func() string) {
	t.Helper()
	err := retry.Until(t.Context(), budget, func(context.Context) error {
		if all := text(); !slices.Contains(strings.Split(all, "\n"), line) {
			return fmt.Errorf("got %q, want a line %q", all, line)
		}
		return nil
	})
	must(t, "waiting for output", err)
}

func logsBoth(t *testing.T, b *bench) {
	id := b.start(t, "out=one", "err=two")
	b.exited(t, id)
	lines := strings.Fields(b.logs(t, id, engine.LogOptions{}))
	slices.Sort(lines) // two streams: their order is not promised
	same(t, "lines", strings.Join(lines, " "), "one two")
}

func logsNothing(t *testing.T, b *bench) {
	id := b.create(t, b.spec("out=one"))
	same(t, "output", b.logs(t, id, engine.LogOptions{}), "")
	same(t, "output, followed", b.logs(t, id, engine.LogOptions{Follow: true}), "")
}

func logsTail(t *testing.T, b *bench) {
	id := b.start(t, "out=one", "out=two", "out=three")
	b.exited(t, id)
	same(t, "last two", b.logs(t, id, engine.LogOptions{Tail: 2}), "two\nthree\n")
	same(t, "last nine", b.logs(t, id, engine.LogOptions{Tail: 9}), "one\ntwo\nthree\n")
	same(t, "all", b.logs(t, id, engine.LogOptions{}), "one\ntwo\nthree\n")
}

func logsSince(t *testing.T, b *bench) {
	id := b.start(t, "out=one")
	created := b.exited(t, id).CreatedAt
	same(t, "since the creation", b.logs(t, id, engine.LogOptions{Since: created}), "one\n")
	same(t, "since later", b.logs(t, id, engine.LogOptions{Since: created.Add(time.Hour)}), "")
}

func logsOnce(t *testing.T, b *bench) {
	id := b.start(t, "out=one", "wait")
	b.says(t, id, "one")
	same(t, "state", b.get(t, id).State, engine.Running)
}

// follow streams a container's output in the background.
func (b *bench) follow(t *testing.T, ctx context.Context, id string) (*buffer, <-chan error) {
	t.Helper()
	streamer, out, done := b.streamer(t), new(buffer), make(chan error, 1)
	go func() { done <- streamer.Logs(ctx, id, engine.LogOptions{Follow: true}, out) }()
	return out, done
}

func logsFollow(t *testing.T, b *bench) {
	id := b.start(t, "out=one", "wait", "out=last")
	out, done := b.follow(t, t.Context(), id)
	await(t, "one", out.String)
	_, _, err := b.exec(t, id, "say=two")
	must(t, "Exec", err)
	await(t, "two", out.String)
	must(t, "Kill", b.Engine.Kill(t.Context(), id))
	must(t, "Logs", <-done)
	same(t, "output", out.String(), "one\ntwo\n")
}

func logsCancelled(t *testing.T, b *bench) {
	id := b.start(t, "out=one", "wait")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, done := b.follow(t, ctx, id)
	await(t, "one", out.String)
	cancel()
	wants(t, "Logs", <-done, context.Canceled)
	same(t, "state", b.get(t, id).State, engine.Running)
}

// buffer is a buffer that is read while it is written.
type buffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
