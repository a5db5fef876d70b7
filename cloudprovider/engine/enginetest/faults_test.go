package enginetest_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

var errInjected = errors.New("injected")

// calls calls every method of an engine that can fail, by name.
func calls() map[string]func(ctx context.Context, f full) error {
	return map[string]func(ctx context.Context, f full) error{
		"List":    func(ctx context.Context, f full) error { _, err := f.List(ctx, nil); return err },
		"Create":  func(ctx context.Context, f full) error { _, err := f.Create(ctx, spec()); return err },
		"Start":   func(ctx context.Context, f full) error { return f.Start(ctx, "there") },
		"Stop":    func(ctx context.Context, f full) error { return f.Stop(ctx, "there", time.Second) },
		"Kill":    func(ctx context.Context, f full) error { return f.Kill(ctx, "there") },
		"Remove":  func(ctx context.Context, f full) error { return f.Remove(ctx, "there") },
		"Image":   func(ctx context.Context, f full) error { _, err := f.Image(ctx, suiteImage); return err },
		"Pull":    func(ctx context.Context, f full) error { return f.Pull(ctx, "remote:v1", nil) },
		"Pause":   func(ctx context.Context, f full) error { return f.Pause(ctx, "there") },
		"Unpause": func(ctx context.Context, f full) error { return f.Unpause(ctx, "frozen") },
		"NetworkIDs": func(ctx context.Context, f full) error {
			_, err := f.NetworkIDs(ctx, "kind")
			return err
		},
		"Logs": func(ctx context.Context, f full) error {
			return f.Logs(ctx, "there", engine.LogOptions{}, new(bytes.Buffer))
		},
		"Exec": func(ctx context.Context, f full) error {
			_, err := f.Exec(ctx, "there", []string{"true"}, new(bytes.Buffer))
			return err
		},
	}
}

func spec() engine.Spec { return engine.Spec{Name: "new", Image: suiteImage} }

func populated() *enginetest.Fake {
	f := enginetest.NewFake()
	f.AddImage(suiteImage)
	f.AddRemoteImage("remote:v1")
	f.Put(engine.Container{Name: "there"})
	f.Put(engine.Container{Name: "frozen", State: engine.Paused})
	return f
}

func TestFailHitsTheCallMeant(t *testing.T) {
	t.Parallel()
	for method, call := range calls() {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			f := populated()
			if err := call(t.Context(), f); err != nil {
				t.Fatalf("without a fault: %v", err)
			}
			f = populated()
			f.Fail(method, 2, errInjected)
			if err := call(t.Context(), f); err != nil {
				t.Errorf("first call: got %v, want nil", err)
			}
			if err := call(t.Context(), f); !errors.Is(err, errInjected) {
				t.Errorf("second call: got %v, want %v", err, errInjected)
			}
			f = populated()
			f.Fail(method, 0, errInjected)
			for range 3 {
				if err := call(t.Context(), f); !errors.Is(err, errInjected) {
					t.Errorf("every call: got %v, want %v", err, errInjected)
				}
			}
		})
	}
}

func TestAFailedCallDoesNothing(t *testing.T) {
	t.Parallel()
	f := populated()
	f.Fail("Remove", 1, errInjected)
	_ = f.Remove(t.Context(), "there")
	if err := f.Remove(t.Context(), "there"); err != nil {
		t.Errorf("second Remove: %v", err)
	}
}

func TestHangLastsUntilTheContextIsDone(t *testing.T) {
	t.Parallel()
	for method, call := range calls() {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := populated()
				f.Hang(method, 1)
				start := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				if err := call(ctx, f); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v, want the deadline's error", err)
				}
				if got := time.Since(start); got != time.Hour {
					t.Errorf("it hung for %s, want an hour", got)
				}
			})
		})
	}
}

func TestDelayComesBeforeTheWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := populated()
		f.Delay("Start", 1, time.Minute)
		f.Fail("Start", 2, errInjected)
		start := time.Now()
		if err := f.Start(t.Context(), "there"); err != nil || time.Since(start) != time.Minute {
			t.Errorf("got %v after %s, want nil after a minute", err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		f.Delay("Stop", 0, time.Minute)
		if err := f.Stop(ctx, "there", time.Second); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline's error", err)
		}
	})
}

func TestCallsAreRecorded(t *testing.T) {
	t.Parallel()
	f := populated()
	id, err := f.Create(t.Context(), spec())
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Start(t.Context(), id)
	_, _ = f.List(t.Context(), map[string]string{"b": "", "a": "1"})
	_, _ = f.Exec(t.Context(), id, []string{"kubectl", "get", "nodes"}, new(bytes.Buffer))
	_, _ = f.NetworkIDs(t.Context(), "kind")
	_ = f.Remove(t.Context(), id)
	_ = f.Remove(t.Context(), "absent")
	want := []string{
		"Create new", "Start new", "List [a=1 b]", "Exec new kubectl get nodes", "NetworkIDs kind", "Remove new", "Remove absent",
	}
	if got := f.Calls(); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
