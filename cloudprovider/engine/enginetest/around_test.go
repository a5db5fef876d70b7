package enginetest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// full is an engine with every capability.
type full interface {
	engine.Engine
	engine.LogStreamer
	engine.Pauser
	engine.Execer
}

func around(t *testing.T, faults *enginetest.Faults, eng engine.Engine) full {
	t.Helper()
	wrapped, ok := faults.Around(eng).(full)
	if !ok {
		t.Fatal("the capabilities are gone")
	}
	return wrapped
}

func TestFaultsKeepCapabilities(t *testing.T) {
	t.Parallel()
	type (
		streamer = engine.LogStreamer
		pauser   = engine.Pauser
		execer   = engine.Execer
	)
	fake := enginetest.NewFake()
	core := fake.WithoutCapabilities()
	for _, eng := range []engine.Engine{
		core,
		fake,
		struct {
			engine.Engine
			streamer
		}{core, fake},
		struct {
			engine.Engine
			pauser
		}{core, fake},
		struct {
			engine.Engine
			execer
		}{core, fake},
		struct {
			engine.Engine
			streamer
			pauser
		}{core, fake, fake},
		struct {
			engine.Engine
			streamer
			execer
		}{core, fake, fake},
		struct {
			engine.Engine
			pauser
			execer
		}{core, fake, fake},
	} {
		if got, want := capabilities(enginetest.NewFaults().Around(eng)), capabilities(eng); got != want {
			t.Errorf("around %T there are [streamer pauser execer] %v, want %v", eng, got, want)
		}
	}
}

func capabilities(eng engine.Engine) [3]bool {
	_, streams := eng.(engine.LogStreamer)
	_, pauses := eng.(engine.Pauser)
	_, execs := eng.(engine.Execer)
	return [3]bool{streams, pauses, execs}
}

func TestEveryMethodGoesThroughTheFaults(t *testing.T) {
	t.Parallel()
	for method, call := range calls() {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			fake, faults := populated(), enginetest.NewFaults()
			eng := around(t, faults, fake)
			if err := call(t.Context(), eng); err != nil {
				t.Fatalf("without a fault: %v", err)
			}
			faults.Fail("", 2, errInjected)
			if err := call(t.Context(), eng); !errors.Is(err, errInjected) {
				t.Errorf("second call: got %v, want %v", err, errInjected)
			}
			if got := len(fake.Calls()); got != 1 {
				t.Errorf("the engine got %d calls, want 1: the second fails before it does anything", got)
			}
			faults.Lose(method, 3, errInjected)
			fresh := around(t, faults, populated())
			if err := call(t.Context(), fresh); !errors.Is(err, errInjected) {
				t.Errorf("third call: got %v, want %v", err, errInjected)
			}
			if got := faults.Calls(); len(got) != 3 {
				t.Errorf("calls are %q, want 3", got)
			}
		})
	}
}

func TestALostReplyIsOfWorkThatWasDone(t *testing.T) {
	t.Parallel()
	fake, faults := populated(), enginetest.NewFaults()
	eng := around(t, faults, fake)
	faults.Lose("Create", 1, errInjected)
	if id, err := eng.Create(t.Context(), spec()); !errors.Is(err, errInjected) || id != "" {
		t.Errorf("got %q, %v, want no ID and %v", id, err, errInjected)
	}
	if _, made := fake.Spec("new"); !made {
		t.Error("the container was not made")
	}
	faults.Lose("Remove", 1, errInjected)
	if err := eng.Remove(t.Context(), "absent"); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v, want the engine's own error", err)
	}
}

func TestFaultsCountEveryMethodTogether(t *testing.T) {
	t.Parallel()
	faults := enginetest.NewFaults("kind.Create")
	eng := around(t, faults, populated())
	faults.FailFrom("", 3, errInjected)
	results := []error{
		eng.Start(t.Context(), "there"),
		faults.Call(t.Context(), "kind.Create", "x", func() error { return nil }),
		eng.Stop(t.Context(), "there", time.Second),
		faults.Call(t.Context(), "kind.Create", "x", func() error { return nil }),
	}
	for i, err := range results {
		if got, want := errors.Is(err, errInjected), i >= 2; got != want {
			t.Errorf("call %d: %v, failed: %v, want %v", i+1, err, got, want)
		}
	}
}

func TestCallsByIDAreRecordedByName(t *testing.T) {
	t.Parallel()
	fake, faults := populated(), enginetest.NewFaults()
	eng := around(t, faults, fake)
	id, err := eng.Create(t.Context(), spec())
	must(t, err)
	must(t, eng.Start(t.Context(), id))
	listed, err := eng.List(t.Context(), nil)
	must(t, err)
	for _, c := range listed {
		if c.Name == "there" {
			_, err = eng.Exec(t.Context(), c.ID, []string{"true"}, io.Discard)
			must(t, err)
		}
	}
	must(t, eng.Remove(t.Context(), id))
	want := []string{"Create new", "Start new", "List []", "Exec there true", "Remove new"}
	if got := faults.Calls(); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestFaultsOfOneCallHappenInTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		faults := enginetest.NewFaults()
		eng := around(t, faults, populated())
		ctx, cancel := context.WithCancel(t.Context())
		faults.Do("Logs", 1, func() { time.AfterFunc(time.Hour, cancel) })
		faults.Delay("Logs", 1, time.Minute)
		faults.Hang("Logs", 1)
		start := time.Now()
		err := eng.Logs(ctx, "there", engine.LogOptions{}, new(bytes.Buffer))
		if !errors.Is(err, context.Canceled) || time.Since(start) != time.Hour {
			t.Errorf("got %v after %s, want that it was cancelled after an hour", err, time.Since(start))
		}
	})
}

func TestAFaultOfAMethodThatNobodyHasIsRefused(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(){
		"by the fake":   func() { enginetest.NewFake().Fail("Strat", 1, errInjected) },
		"by the faults": func() { enginetest.NewFaults("kind.Create").Hang("kind.Delete", 1) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("it was accepted")
				}
			}()
			set()
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
