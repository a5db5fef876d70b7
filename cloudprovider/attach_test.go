package cloudprovider_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// buffer is a writer that a test may read meanwhile.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

// await waits until text was written.
func (b *buffer) await(t *testing.T, text string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		b.mu.Lock()
		got := b.b.String()
		b.mu.Unlock()
		if strings.Contains(got, text) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("got %q, want %q in it", got, text)
		}
	}
}

// follow runs do in the background and returns what it writes to, and how to end it and get its error.
func follow(t *testing.T, do func(context.Context, *buffer) error) (out *buffer, end func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, result := &buffer{}, make(chan error, 1)
	go func() { result <- do(ctx, out) }()
	return out, func() error {
		cancel()
		return <-result
	}
}

func TestAttach(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		container := f.mustStart(c)
		out, end := follow(t, func(ctx context.Context, out *buffer) error { return c.Attach(ctx, out) })
		out.await(t, "Starting cloud controller") // what was before
		f.AppendLog(container.ID, "what comes later")
		out.await(t, "what comes later")
		if err := end(); err != nil {
			t.Errorf("got %v, want nil when ctx is done", err)
		}
		f.wantNames(name, "demo-control-plane") // it only looked
	})
}

func TestAttachFollowsARestart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		container := f.mustStart(c)
		out, end := follow(t, func(ctx context.Context, out *buffer) error { return c.Attach(ctx, out) })
		out.await(t, "Starting cloud controller")
		f.behave(enginetest.Behaviour{Logs: []string{"the second run"}})
		f.SetState(container.ID, engine.Restarting)
		time.Sleep(20 * time.Millisecond) // so that it is seen as ended
		f.SetState(container.ID, engine.Exited)
		if err := f.Fake.Start(t.Context(), container.ID); err != nil {
			t.Fatal(err)
		}
		out.await(t, "the second run")
		if err := end(); err != nil {
			t.Error(err)
		}
		if got := strings.Count(out.b.String(), "Starting cloud controller"); got != 1 {
			t.Errorf("the first run was told %d times, want once", got)
		}
	})
}

// TestAttachWaitsForALateRestart: Podman says "exited" of what it is about to restart.
func TestAttachWaitsForALateRestart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		c.SetBudgets(cloudprovider.Budgets{Settle: time.Second})
		container := f.mustStart(c)
		out, end := follow(t, func(ctx context.Context, out *buffer) error { return c.Attach(ctx, out) })
		out.await(t, "Starting cloud controller")
		f.SetState(container.ID, engine.Exited)
		time.Sleep(300 * time.Millisecond)
		f.behave(enginetest.Behaviour{Logs: []string{"the second run"}})
		if err := f.Fake.Start(t.Context(), container.ID); err != nil {
			t.Fatal(err)
		}
		out.await(t, "the second run")
		if err := end(); err != nil {
			t.Error(err)
		}
	})
}

func TestAttachEndsWithTheContainer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		wantError(t, c.Attach(t.Context(), &buffer{}), "does not run", name)
		container := f.mustStart(c)
		out, end := follow(t, func(ctx context.Context, out *buffer) error { return c.Attach(ctx, out) })
		out.await(t, "Starting cloud controller")
		if err := f.Remove(t.Context(), container.ID); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond) // end would hide it
		wantError(t, end(), name, "was removed")
	})
}

func TestAttachEndsWithTheProcess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		f.SetState(f.mustStart(c).ID, engine.Exited)
		wantError(t, c.Attach(t.Context(), &buffer{}), name, "exited with code 0")
	})
}

func TestAttachWithoutLogStreaming(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := shortened(cloudprovider.New(f.WithoutCapabilities(), config()))
		if err := c.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		var out buffer
		err := c.Attach(ctx, &out)
		if err != nil || out.b.Len() > 0 {
			t.Errorf("got %v and %q, want neither", err, out.b.String())
		}
		if ctx.Err() == nil {
			t.Error("it returned before ctx was done")
		}
	})
}

func TestRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		out, end := follow(t, func(ctx context.Context, out *buffer) error { return c.Run(ctx, out) })
		out.await(t, "Starting cloud controller")
		f.putProxy("kindccm-1", "demo", time.Now())
		if err := end(); err != nil {
			t.Error(err)
		}
		f.wantNames("demo-control-plane")
	})
}

func TestRunFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.behave(exits(1, "no"))
		wantError(t, f.controller(config()).Run(t.Context(), &buffer{}), "exited with code 1")
		f.wantNames("demo-control-plane")
	})
}

var _ engine.Engine = fixture{}
