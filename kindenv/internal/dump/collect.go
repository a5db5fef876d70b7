// Package dump collects what is needed to understand a failure, bounded in time
// and size and without credentials, and keeps it in a folder.
package dump

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

const (
	// maxSize is how many bytes of each source are kept: the last ones.
	maxSize = 512 << 10
	// atOnce is how many sources are read side by side.
	atOnce = 4
)

// Source is something to read.
type Source struct {
	Name string // the path of its file in the folder, slash-separated
	Read func(ctx context.Context, out io.Writer) error
}

// File is what a source had to say.
type File struct {
	Name    string
	Content string // without credentials; empty when there was nothing
}

// Collect reads sources until all are read or ctx is done, whatever they do. What
// went wrong with one stands at the end of its content. The files are in the
// order of sources.
func Collect(ctx context.Context, sources []Source) []File {
	tails := make([]tail, len(sources))
	places := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for i, source := range sources {
		all.Go(func() {
			select {
			case places <- struct{}{}:
				defer func() { <-places }()
				tails[i].end(source.Read(ctx, &tails[i]))
			case <-ctx.Done():
				tails[i].end(context.Cause(ctx))
			}
		})
	}
	read := make(chan struct{})
	go func() {
		all.Wait()
		close(read)
	}()
	select {
	case <-read:
	case <-ctx.Done():
	}
	files := make([]File, len(sources))
	for i, source := range sources {
		files[i] = File{source.Name, tails[i].text(ctx)}
	}
	return files
}

// tail keeps the end of what is written to it.
type tail struct {
	mu    sync.Mutex
	kept  []byte
	cut   bool  // something was dropped
	ended bool  // no more comes
	err   error // why
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return 0, io.ErrClosedPipe
	}
	t.kept = append(t.kept, p...)
	if len(t.kept) > 2*maxSize {
		t.shorten()
	}
	return len(p), nil
}

// shorten drops whole lines. It needs t.mu.
func (t *tail) shorten() {
	if len(t.kept) <= maxSize {
		return
	}
	rest := t.kept[len(t.kept)-maxSize:]
	if _, after, found := bytes.Cut(rest, []byte("\n")); found {
		rest = after
	}
	t.kept, t.cut = append([]byte(nil), rest...), true
}

func (t *tail) end(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.ended {
		t.ended, t.err = true, err
	}
}

// text ends the tail and returns what is kept, and what went wrong.
func (t *tail) text(ctx context.Context) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.ended {
		t.ended, t.err = true, context.Cause(ctx)
	}
	t.shorten()
	text := string(bytes.ToValidUTF8(t.kept, []byte("\uFFFD")))
	if t.cut {
		text = "(magekind: what came before is left out)\n" + text
	}
	if t.err != nil {
		text += fmt.Sprintf("\n(magekind: reading this ended: %v)\n", t.err)
	}
	return redact.Text(text)
}
