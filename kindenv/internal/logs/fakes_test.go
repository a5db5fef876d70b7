package logs_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/kindenv/internal/logs"
)

// board is a set of fake sources that the test changes while they are followed.
type board struct {
	mu      sync.Mutex
	sources []logs.Source
	err     error
}

func (b *board) find(context.Context) ([]logs.Source, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sources, b.err
}

func (b *board) set(err error, sources ...logs.Source) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sources, b.err = sources, err
}

// feed is a fake source: what the test sends appears on its stream.
type feed struct {
	input  chan string
	sinces chan time.Time // one for each call of Stream
}

func newFeed() *feed { return &feed{input: make(chan string), sinces: make(chan time.Time, 10)} }

func (f *feed) stream(ctx context.Context, since time.Time, out io.Writer) error {
	f.sinces <- since
	for {
		select {
		case text, ok := <-f.input:
			if !ok {
				return nil
			}
			if text == "fail" {
				return errors.New("connection lost")
			}
			if _, err := io.WriteString(out, text); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// say lets the source write text, and waits until it did.
func (f *feed) say(text string) {
	f.input <- text
	synctest.Wait()
}

func (f *feed) source(name string) logs.Source { return logs.Source{Name: name, Stream: f.stream} }

// buffer is a bytes.Buffer that the test may read while lines are written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// start streams b's sources until the test calls the returned function, which
// returns Stream's error. It has to be called in a synctest bubble, which
// fails when a goroutine is left.
func start(t *testing.T, b *board, out io.Writer, opts logs.Options) func() error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() { result <- logs.Stream(ctx, b.find, out, opts) }()
	synctest.Wait()
	return func() error {
		cancel()
		return <-result
	}
}

func check(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
