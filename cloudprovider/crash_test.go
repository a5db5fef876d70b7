package cloudprovider_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// TestKilled: the engine has started it again, which mends the Services but not the Gateways.
func TestKilled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		var notices []string
		cfg := config()
		cfg.Notice = func(message string) { notices = append(notices, message) }
		c := f.controller(cfg)
		container := f.mustStart(c)
		service := f.putProxy("kindccm-1", "demo", time.Now())
		f.putProxy("kindccm-gw-1", "demo", time.Now())
		time.Sleep(time.Second)
		f.Exit(container.ID, 137)

		status := f.status(c)
		if status.State != engine.Running || status.Restarts != 1 || status.ExitCode != 137 || status.OutOfMemory || !status.Since.After(container.StartedAt) {
			t.Errorf("got %+v, want it running again after code 137", status)
		}
		wantText(t, status.Reason, "running since", "exited with code 137 (killed), and was restarted once")
		if err := c.Attached(t.Context()); err != nil {
			t.Errorf("got %v, want that the current run is attached", err)
		}
		f.mustStart(c)
		f.wantNames(name, "demo-control-plane", "kindccm-1")
		if f.container("kindccm-1").ID != service {
			t.Error("the Service's load balancer was replaced")
		}
		wantText(t, strings.Join(notices, "\n"), "anew: it crashed: it exited with code 137", "Starting cloud controller")
	})
}

func TestOutOfMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const want = "exited with code 137 (killed), out of memory"
		f := newFixture(t)
		c := f.controller(config())
		id := f.mustStart(c).ID
		f.OutOfMemory(id)
		status := f.status(c)
		if !status.OutOfMemory {
			t.Errorf("got %+v, want that it ran out of memory", status)
		}
		wantText(t, status.Reason, want, "has to have more")
		for range 2 {
			f.OutOfMemory(id)
		}
		wantError(t, c.Attached(t.Context()), want, "has to have more", "restarted 3 times")
	})
}

func TestStartTellsThatMemoryRanOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.behave(enginetest.Behaviour{})
		c := f.controller(config())
		c.SetBudgets(cloudprovider.Budgets{Settle: time.Minute, Start: time.Minute})
		result := make(chan error)
		go func() { result <- c.Start(t.Context()) }()
		time.Sleep(300 * time.Millisecond)
		if err := f.OutOfMemory(name); err != nil {
			t.Fatal(err)
		}
		wantError(t, <-result, "out of memory", "has to have more")
		f.wantNames("demo-control-plane")
	})
}

// TestAWaitEndsWithACrashLoop, and does not take one crash for it.
func TestAWaitEndsWithACrashLoop(t *testing.T) {
	t.Parallel()
	for title, withoutHistory := range map[string]bool{"with history": false, "without": true} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				c := f.controller(config())
				if withoutHistory {
					c = shortened(cloudprovider.New(bare{f.Fake, f.Fake}, config()))
				}
				id := f.mustStart(c).ID
				for range 2 {
					f.Exit(id, 2)
					if err := c.Attached(t.Context()); err != nil {
						t.Errorf("got %v, want the current run attached", err)
					}
				}
				f.behave(exits(3, "panic: at last"))
				f.Exit(id, 2)
				began := time.Now()
				err := retry.Until(t.Context(), time.Hour, c.Attached)
				wantError(t, err, "keeps crashing", "exited with code 3", "restarted", "panic: at last")
				if took := time.Since(began); took > time.Minute {
					t.Errorf("waited for %s", took)
				}
			})
		})
	}
}

// bare is an engine that streams logs and remembers nothing.
type bare struct {
	engine.Engine
	engine.LogStreamer
}

// TestAWaitEndsWhenNothingWillCome of it.
func TestAWaitEndsWhenNothingWillCome(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(f fixture, id string){
		"there is no container": func(f fixture, id string) { f.Remove(f.t.Context(), id) },
		"it is paused":          func(f fixture, id string) { f.Pause(f.t.Context(), id) },
		"stopped by somebody":   func(f fixture, id string) { f.Fake.Stop(f.t.Context(), id, 0) },
		"an earlier cluster": func(f fixture, _ string) {
			f.Remove(f.t.Context(), f.node)
			f.putNode("demo", time.Now())
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				f.t = t
				c := f.controller(config())
				id := f.mustStart(c).ID
				time.Sleep(time.Second)
				change(f, id)
				began := time.Now()
				wantError(t, retry.Until(t.Context(), time.Hour, c.Attached), want)
				if took := time.Since(began); took > time.Minute {
					t.Errorf("waited for %s", took)
				}
				f.mustStart(c)
				if err := c.Attached(t.Context()); err != nil {
					t.Errorf("after a start: %v", err)
				}
			})
		})
	}
}

// TestPodmanExitsBetweenRuns: there an exit is no end yet.
func TestPodmanExitsBetweenRuns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.SetEndpoint(engine.Endpoint{Host: "unix:///run/podman/podman.sock", Kind: engine.Podman})
		c := f.controller(config())
		id := f.mustStart(c).ID
		f.SetState(id, engine.Exited)
		asked := 0
		err := retry.Until(t.Context(), time.Minute, func(ctx context.Context) error {
			if asked++; asked == 2 {
				f.SetState(id, engine.Running)
			}
			return c.Attached(ctx)
		})
		if err != nil || asked < 2 {
			t.Errorf("got %v after asking %d times, want that it was waited for", err, asked)
		}
	})
}

// TestStatusOfAnEarlierClusters: it serves nothing of what is there.
func TestStatusOfAnEarlierClusters(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		f.mustStart(c)
		f.Remove(t.Context(), f.node)
		time.Sleep(time.Second)
		f.putNode("demo", time.Now())
		if status := f.status(c); len(status.Clusters) > 0 || !status.Outdated {
			t.Errorf("got %+v, want no cluster, and outdated", status)
		}
	})
}
