//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/magekind/magekind/magefiles/moment"
)

// syncBuffer can be read while a command still writes to it, and remembers when
// each line came.
type syncBuffer struct {
	mu    sync.Mutex
	buf   bytes.Buffer
	began time.Time // the first use
	lines []time.Duration
	more  chan struct{} // closed at the next line
}

// newBuffer starts the clock.
func newBuffer() *syncBuffer {
	return &syncBuffer{began: time.Now(), more: make(chan struct{})}
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range bytes.Count(p, []byte("\n")) {
		b.lines = append(b.lines, time.Since(b.began))
		close(b.more)
		b.more = make(chan struct{})
	}
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// timeline is the course of a command that has just ended.
func (b *syncBuffer) timeline() moment.Timeline {
	b.mu.Lock()
	defer b.mu.Unlock()
	return moment.Timeline{Lines: b.lines, End: time.Since(b.began)}
}

// await waits until so many lines have come and then for as long as the moment
// says, or until ctx ends.
func (b *syncBuffer) await(ctx context.Context, m moment.Moment) {
	for {
		b.mu.Lock()
		come, more := len(b.lines), b.more
		b.mu.Unlock()
		if come >= m.Lines {
			break
		}
		select {
		case <-more:
		case <-ctx.Done():
			return
		}
	}
	select {
	case <-time.After(m.Rest):
	case <-ctx.Done():
	}
}
