package cloudprovider_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

func TestStartFails(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		prepare func(f fixture, cfg *cloudprovider.Config)
		want    []string
	}{
		{"exits at once", func(f fixture, _ *cloudprovider.Config) {
			f.behave(exits(1, `Error: unknown flag: --x`, `see "cloud-provider-kind --help"`))
		}, []string{name, "exited with code 1", "restarted once", "unknown flag: --x\n  see"}},
		{"logs nothing", func(f fixture, _ *cloudprovider.Config) {
			f.behave(exits(139))
		}, []string{"exited with code 139", "it logged nothing"}},
		{"can't list clusters", func(f fixture, _ *cloudprovider.Config) {
			f.behave(enginetest.Behaviour{Logs: []string{`E1130 "Error listing clusters, retrying..." err="docker: permission denied"`}})
		}, []string{"can't list the clusters", "/var/run/docker.sock", "SocketPath", "permission denied"}},
		{"can't reach the engine", func(f fixture, _ *cloudprovider.Config) {
			f.behave(exits(1, attachLog("demo")[0], "Error: no supported container runtime found"))
		}, []string{"exited with code 1", "can't list the clusters", "/var/run/docker.sock", "SocketPath", "its last lines:\n  Error: no supported"}},
		{"no network", func(f fixture, _ *cloudprovider.Config) {
			f.RemoveNetwork("kind")
		}, []string{`network "kind" does not exist`, "create the cluster first"}},
		{"no network of one's own", func(_ fixture, cfg *cloudprovider.Config) {
			cfg.Network = "mine"
		}, []string{`network "mine" does not exist`, "KIND_EXPERIMENTAL_DOCKER_NETWORK=mine"}},
		{"two networks", func(f fixture, _ *cloudprovider.Config) {
			f.AddNetwork("kind")
		}, []string{`2 networks are named "kind"`, "no running containers", "docker network rm "}},
		{"create fails", func(f fixture, _ *cloudprovider.Config) {
			f.Fail("Create", 2, errors.New("no space left")) // the first one asks for the proxies' image
		}, []string{"running \"" + name, "no space left"}},
		{"start fails", func(f fixture, _ *cloudprovider.Config) {
			f.Fail("Start", 2, errors.New("no such socket"))
		}, []string{"running \"" + name, "no such socket"}},
		{"engine away", func(f fixture, _ *cloudprovider.Config) {
			f.Fail("List", 1, engine.ErrUnavailable)
		}, []string{engine.ErrUnavailable.Error()}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				f.putProxy("kindccm-serving", "demo", time.Now())
				cfg := config()
				test.prepare(f, &cfg)
				err := f.controller(cfg).Start(t.Context())
				wantError(t, err, test.want...)
				f.wantNames("demo-control-plane", "kindccm-serving")
			})
		})
	}
}

func TestStartKeepsItsHandsOffForeignNames(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		foreign := f.Put(engine.Container{Name: name})
		err := f.controller(config()).Start(t.Context())
		wantError(t, err, name, "not ours", "remove or rename")
		if !errors.Is(err, engine.ErrConflict) {
			t.Errorf("got %v, want an ErrConflict", err)
		}
		if got := f.container(name); got.ID != foreign || got.State != engine.Running {
			t.Errorf("the foreign container is %+v", got)
		}
		f.wantNames(name, "demo-control-plane")
	})
}

func TestStartCancelled(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"Create", "Start", "Pull"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				f.RemoveImage(proxy)
				f.AddRemoteImage(proxy)
				n := 2 // after the question for the proxies' image
				if method == "Pull" {
					n = 1
				}
				f.Hang(method, n)
				ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
				defer cancel()
				if err := f.controller(config()).Start(ctx); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v, want the deadline", err)
				}
				f.wantNames("demo-control-plane")
			})
		})
	}
}

// slowCreate is an engine that makes the container, but whose answer comes too late.
type slowCreate struct {
	*enginetest.Fake
	cancel context.CancelFunc
}

func (s slowCreate) Create(ctx context.Context, spec engine.Spec) (string, error) {
	id, err := s.Fake.Create(ctx, spec)
	if err != nil || spec.Name != name {
		return id, err
	}
	s.cancel()
	return "", ctx.Err()
}

func TestStartCancelledWhileCreating(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		ctx, cancel := context.WithCancel(t.Context())
		c := shortened(cloudprovider.New(slowCreate{f.Fake, cancel}, config()))
		if err := c.Start(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want that it was cancelled", err)
		}
		f.wantNames("demo-control-plane")
	})
}

func TestStartCancelledWhileWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.behave(enginetest.Behaviour{})
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		c := f.controller(config())
		c.SetBudgets(cloudprovider.Budgets{Start: time.Hour, Settle: time.Hour})
		err := c.Start(ctx)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline", err)
		}
		wantError(t, err, "it has not listed the clusters yet")
		f.wantNames("demo-control-plane")
	})
}

// TestStartFailsLate has a controller that made a load balancer before it died.
func TestStartFailsLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.putProxy("kindccm-before", "demo", time.Now())
		f.Script(func(spec engine.Spec) enginetest.Behaviour {
			if spec.Name != name {
				return exits(0, proxy)
			}
			time.Sleep(time.Millisecond) // so that it is later than the container's creation
			f.putProxy("kindccm-fresh", "demo", time.Now())
			f.putProxy("kindccm-fresh-other", "demo-2", time.Now())
			return exits(2, "panic")
		})
		err := f.controller(config()).Start(t.Context())
		wantError(t, err, "exited with code 2", "panic")
		for _, gone := range []string{name, "kindccm-fresh"} {
			for _, there := range f.names() {
				if there == gone {
					t.Errorf("%s is still there", gone)
				}
			}
		}
		f.container("kindccm-before")
		f.container("kindccm-fresh-other")
	})
}

func TestStartTellsWhatItCouldNotUndo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.behave(exits(1))
		f.Fail("Remove", 2, errors.New("device busy")) // the first removes the question's container
		err := f.controller(config()).Start(t.Context())
		wantError(t, err, "exited with code 1", "removing \""+name, "device busy")
	})
}
