package logs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/kindenv/internal/logs"
)

// failing is a writer that fails after so many bytes.
type failing struct{ left int }

var errPipe = errors.New("broken pipe")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errPipe
	}
	return len(p), nil
}

func TestStreamEndsWithItsWriter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		busy, quiet := newFeed(), newFeed()
		b := new(board)
		b.set(nil, busy.source("busy"), quiet.source("quiet"))
		result := make(chan error, 1)
		go func() { result <- logs.Stream(t.Context(), b.find, &failing{left: 20}, logs.Options{}) }()
		busy.say("fits\n")
		busy.say("does not\n")
		if err := <-result; !errors.Is(err, errPipe) {
			t.Errorf("got error %v, want %v", err, errPipe)
		}
	})
}

func TestStreamEndsDeafSources(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := new(board)
		b.set(nil, logs.Source{Name: "deaf", Stream: func(_ context.Context, _ time.Time, out io.Writer) error {
			for {
				if _, err := io.WriteString(out, "x\n"); err != nil {
					return err
				}
				time.Sleep(time.Second)
			}
		}})
		stop := start(t, b, io.Discard, logs.Options{})
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestStreamLongLines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, b, out := newFeed(), new(board), new(buffer)
		b.set(nil, f.source("a"))
		stop := start(t, b, out, logs.Options{})
		endless := strings.Repeat("é…x", 50_000) // 300 kB with no line end
		for i := 0; i < len(endless); i += 1000 {
			f.say(endless[i : i+1000])
		}
		synctest.Wait()
		if out.String() == "" {
			t.Error("nothing of an endless line was printed")
		}
		_ = stop()
		for line := range strings.Lines(out.String()) {
			if !strings.HasPrefix(line, "a │ ") || len(line) > 70_000 || strings.ContainsRune(line, '\uFFFD') {
				t.Fatalf("bad piece of %d bytes: %.20q…", len(line), line)
			}
		}
		joined := strings.ReplaceAll(strings.ReplaceAll(out.String(), "a │ ", ""), "\n", "")
		if joined != endless {
			t.Errorf("the pieces hold %d bytes, want the %d of the line", len(joined), len(endless))
		}
	})
}

func TestStreamKeepsLinesWhole(t *testing.T) {
	t.Parallel()
	var sources []logs.Source
	const writers, each = 8, 500
	for w := range writers {
		sources = append(sources, logs.Source{Name: fmt.Sprint("s", w), Ended: true, Stream: func(_ context.Context, _ time.Time, out io.Writer) error {
			for i := range each {
				for _, part := range []string{"line", fmt.Sprintf(" %d of %d", i, w), "\n"} {
					if _, err := io.WriteString(out, part); err != nil {
						return err
					}
				}
			}
			return nil
		}})
	}
	ctx, cancel := context.WithCancel(t.Context())
	counter := &counting{done: cancel, want: writers * each}
	find := func(context.Context) ([]logs.Source, error) { return sources, nil }
	if err := logs.Stream(ctx, find, counter, logs.Options{}); err != nil {
		t.Fatal(err)
	}
	next := map[string]int{}
	for line := range strings.Lines(counter.String()) {
		var name string
		var i, w int
		if _, err := fmt.Sscanf(line, "%s │ line %d of %d\n", &name, &i, &w); err != nil || name != fmt.Sprint("s", w) || next[name] != i {
			t.Fatalf("bad line %q: %v", line, err)
		}
		next[name]++
	}
}

// counting calls done once it has seen so many lines.
type counting struct {
	buffer
	want int
	done func()
}

func (c *counting) Write(p []byte) (int, error) {
	if c.want -= bytes.Count(p, []byte("\n")); c.want == 0 {
		c.done()
	}
	return c.buffer.Write(p)
}
