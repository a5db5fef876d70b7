package enginetest_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// only returns the one container with this name.
func only(t *testing.T, f *enginetest.Fake, name string) engine.Container {
	t.Helper()
	all, err := f.List(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no container %q", name)
	return engine.Container{}
}

func output(t *testing.T, f *enginetest.Fake, id string) string {
	t.Helper()
	var out bytes.Buffer
	if err := f.Logs(t.Context(), id, engine.LogOptions{}, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestPutFillsIn(t *testing.T) {
	t.Parallel()
	f := enginetest.NewFake()
	id := f.Put(engine.Container{Name: "demo-control-plane", Labels: map[string]string{"io.x-k8s.kind.cluster": "demo"}})
	c := only(t, f, "demo-control-plane")
	if c.ID != id || c.State != engine.Running || c.CreatedAt.IsZero() || c.StartedAt.IsZero() {
		t.Errorf("got %+v", c)
	}
	c.Labels["io.x-k8s.kind.cluster"] = "changed"
	if got := only(t, f, "demo-control-plane").Labels["io.x-k8s.kind.cluster"]; got != "demo" {
		t.Errorf("a caller changed the label to %q", got)
	}
	other := f.Put(engine.Container{State: engine.Exited, ExitCode: 3})
	if spec, ok := f.Spec(other); !ok || spec.Name == "" {
		t.Errorf("got spec %+v, %t, want a name", spec, ok)
	}
}

func TestAScriptIsAskedAtEachStart(t *testing.T) {
	t.Parallel()
	f := populated()
	runs := 0
	f.Script(func(spec engine.Spec) enginetest.Behaviour {
		runs++
		if runs == 1 {
			code := 1
			return enginetest.Behaviour{Logs: []string{spec.Name + " failed"}, Exit: &code}
		}
		return enginetest.Behaviour{Logs: []string{spec.Name + " works"}}
	})
	id, _ := f.Create(t.Context(), spec())
	_ = f.Start(t.Context(), id)
	if c := only(t, f, "new"); c.State != engine.Exited || c.ExitCode != 1 {
		t.Errorf("first run: got %s with code %d", c.State, c.ExitCode)
	}
	_ = f.Start(t.Context(), id)
	if c := only(t, f, "new"); c.State != engine.Running || c.RestartCount != 0 {
		t.Errorf("second run: got %s after %d restarts", c.State, c.RestartCount)
	}
	if got, want := output(t, f, id), "new failed\nnew works\n"; got != want {
		t.Errorf("output: got %q, want %q", got, want)
	}
}

func TestStopRunsWhatTheProgramDoesOnItsWayOut(t *testing.T) {
	t.Parallel()
	f := populated()
	proxy := f.Put(engine.Container{Name: "proxy"})
	f.Script(func(engine.Spec) enginetest.Behaviour {
		return enginetest.Behaviour{OnStop: func() { _ = f.Remove(context.Background(), proxy) }}
	})
	id, _ := f.Create(t.Context(), spec())
	_ = f.Start(t.Context(), id)
	must(t, f.Stop(t.Context(), id, time.Minute))
	if _, ok := f.Spec(proxy); ok {
		t.Error("the proxy is still there")
	}
}

func TestStopWaitsNoLongerThanItMay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := populated()
		f.Script(func(engine.Spec) enginetest.Behaviour {
			return enginetest.Behaviour{OnStop: func() { time.Sleep(time.Hour) }}
		})
		id := f.Put(engine.Container{Name: "slow"})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := f.Stop(ctx, id, time.Minute); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline's error", err)
		}
		must(t, f.Stop(t.Context(), id, time.Minute))
		if c := only(t, f, "slow"); c.State != engine.Exited || c.ExitCode != 137 {
			t.Errorf("it is %s with code %d, want that it was killed", c.State, c.ExitCode)
		}
		time.Sleep(time.Hour) // the program's end
	})
}

func TestExitEndsARunOrBeginsTheNext(t *testing.T) {
	t.Parallel()
	f := populated()
	for _, c := range []struct {
		policy engine.RestartPolicy
		want   engine.State
		count  int
	}{{engine.RestartNo, engine.Exited, 0}, {engine.RestartUnlessStopped, engine.Running, 1}} {
		s := spec()
		s.Restart = c.policy
		id, err := f.Create(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Exit(id, 2); !errors.Is(err, engine.ErrConflict) {
			t.Errorf("Exit of a created one: got %v, want a conflict", err)
		}
		_ = f.Start(t.Context(), id)
		if err := f.Exit(id, 2); err != nil {
			t.Error(err)
		}
		if got := only(t, f, "new"); got.State != c.want || got.RestartCount != c.count {
			t.Errorf("policy %q: got %s after %d restarts, want %s after %d", c.policy, got.State, got.RestartCount, c.want, c.count)
		}
		_ = f.Remove(t.Context(), id)
	}
}

func TestWhatConcernsAnAbsentContainerIsRefused(t *testing.T) {
	t.Parallel()
	f := enginetest.NewFake()
	for name, err := range map[string]error{
		"AppendLog": f.AppendLog("absent", "line"),
		"SetState":  f.SetState("absent", engine.Running),
		"Exit":      f.Exit("absent", 1),
	} {
		if !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("%s: got %v, want %v", name, err, engine.ErrNotFound)
		}
	}
}

func TestPullBringsAnImage(t *testing.T) {
	t.Parallel()
	f := enginetest.NewFake()
	f.AddRemoteImage("envoyproxy/envoy:v1", enginetest.WithImageID("sha256:1"))
	var steps []string
	if err := f.Pull(t.Context(), "docker.io/envoyproxy/envoy:v1", func(p engine.PullProgress) { steps = append(steps, p.Status) }); err != nil {
		t.Fatal(err)
	}
	if got, err := f.Image(t.Context(), "envoyproxy/envoy:v1"); err != nil || got.ID != "sha256:1" {
		t.Errorf("got %+v, %v", got, err)
	}
	if len(steps) == 0 || !strings.Contains(strings.Join(steps, " "), "Pull complete") {
		t.Errorf("progress: got %q", steps)
	}
	f.RemoveImage("envoyproxy/envoy:v1")
	if _, err := f.Image(t.Context(), "envoyproxy/envoy:v1"); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("after RemoveImage: got %v", err)
	}
}

func TestNetworksOfOneName(t *testing.T) {
	t.Parallel()
	f := populated()
	f.AddNetwork("kind")
	f.AddNetwork("kind")
	if ids, _ := f.NetworkIDs(t.Context(), "kind"); len(ids) != 2 || ids[0] == ids[1] {
		t.Errorf("got %q, want two", ids)
	}
	s := spec()
	s.Network = "kind"
	if _, err := f.Create(t.Context(), s); !errors.Is(err, engine.ErrConflict) {
		t.Errorf("Create: got %v, want a conflict", err)
	}
	f.RemoveNetwork("kind")
	if _, err := f.Create(t.Context(), s); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("Create: got %v, want %v", err, engine.ErrNotFound)
	}
}
