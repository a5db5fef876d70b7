package progress_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/images/internal/progress"
)

func ExampleNew() {
	log := progress.New(os.Stderr)
	step := log.Step("compile")
	step.Status("%d of %d packages", 1, 2)
	step.End(nil)
}

// buffer is a bytes.Buffer for several goroutines.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func TestStep(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := progress.New(&out)
	log.Step("load").End(nil)
	log.Step("unpack").End(errors.New("no space"))
	for _, want := range []string{"load ...", "load: done in ", "unpack ...", "unpack: failed after "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if got := strings.Count(out.String(), "\n"); got != 4 {
		t.Errorf("got %d lines, want 4", got)
	}
}

func TestBeatNamesWhatRuns(t *testing.T) {
	t.Parallel()
	out := &buffer{}
	log := progress.New(out)
	ctx, stop := context.WithCancel(t.Context())
	finished := make(chan struct{})
	log.Step("over").End(nil)
	step := log.Step("compile")
	step.Status("%d packages", 7)
	go func() {
		defer close(finished)
		log.Beat(ctx, 5*time.Millisecond)
	}()
	const want = "still at it: compile (7 packages)\n"
	for !strings.Contains(out.String(), want) && t.Context().Err() == nil {
		time.Sleep(time.Millisecond)
	}
	step.End(nil)
	stop()
	<-finished
	if got := out.String(); strings.Contains(got, "still at it: over") {
		t.Errorf("a step that ended is named in\n%s", got)
	}
}
