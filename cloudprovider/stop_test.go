package cloudprovider_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

func TestStop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		f.mustStart(c)
		f.putProxy("kindccm-1", "demo", time.Now())
		f.putProxy("kindccm-gw-1", "demo", time.Now())
		f.putProxy("kindccm-2", "demo-2", time.Now())
		f.Put(engine.Container{Name: "bare", Labels: map[string]string{cloudprovider.LabelCluster: ""}})
		f.Put(engine.Container{Name: "named-alike"})
		calls := len(f.Calls())
		if err := c.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.wantNames("bare", "demo-control-plane", "kindccm-2", "named-alike")
		if got, want := f.changes(calls)[:2], []string{"Stop " + name, "Remove " + name}; !slices.Equal(got, want) {
			t.Errorf("got %q, want a graceful stop before the removal: %q", got, want)
		}
		if c.Running(t.Context()) {
			t.Error("it still runs")
		}
		if err := c.Stop(t.Context()); err != nil {
			t.Errorf("stopping again: %v", err)
		}
	})
}

// TestStopFromColdStart removes what a killed process left behind.
func TestStopFromColdStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.putProxy("kindccm-1", "demo", time.Now())
		f.Put(engine.Container{Name: "question", Labels: map[string]string{
			cloudprovider.LabelRole: "cloud-provider-list-images", cloudprovider.LabelOwner: "demo",
		}})
		if err := f.controller(config()).Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.wantNames("demo-control-plane")
	})
}

func TestStopWhateverState(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, state := range []engine.State{engine.Created, engine.Exited, engine.Restarting, engine.Paused, engine.Dead} {
			f := newFixture(t)
			c := f.controller(config())
			f.SetState(f.mustStart(c).ID, state)
			if err := c.Stop(t.Context()); err != nil {
				t.Errorf("%s: %v", state, err)
			}
			f.wantNames("demo-control-plane")
		}
	})
}

func TestStopWhenStoppingFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		f.mustStart(c)
		f.putProxy("kindccm-1", "demo", time.Now())
		f.Fail("Stop", 1, errors.New("no answer"))
		if err := c.Stop(t.Context()); err != nil {
			t.Errorf("got %v, want that removal makes up for it", err)
		}
		f.wantNames("demo-control-plane")
	})
}

// TestStopSweepsAgain has a load balancer that appears during the sweep.
func TestStopSweepsAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.putProxy("kindccm-1", "demo", time.Now())
		late := &lateProxy{fixture: f}
		if err := shortened(cloudprovider.New(late, config())).Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !late.done {
			t.Fatal("nothing appeared late")
		}
		f.wantNames("demo-control-plane")
	})
}

type lateProxy struct {
	fixture
	done bool
}

func (l *lateProxy) Remove(ctx context.Context, id string) error {
	if !l.done {
		l.done = true
		l.putProxy("kindccm-late", "demo", time.Now())
	}
	return l.fixture.Remove(ctx, id)
}

// vanishing is an engine on which somebody else is always quicker to remove a container.
type vanishing struct{ fixture }

func (v vanishing) Remove(ctx context.Context, id string) error {
	return errors.Join(v.fixture.Remove(ctx, id), engine.ErrNotFound)
}

func TestStopWhatVanishes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.mustStart(f.controller(config()))
		f.putProxy("kindccm-1", "demo", time.Now())
		if err := shortened(cloudprovider.New(vanishing{f}, config())).Stop(t.Context()); err != nil {
			t.Error(err)
		}
		f.wantNames("demo-control-plane")
	})
}

func TestStopNamesWhatIsLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		f.mustStart(c)
		f.putProxy("kindccm-1", "demo", time.Now())
		f.Fail("Remove", 0, errors.New("device busy"))
		err := c.Stop(t.Context())
		wantError(t, err, name, "kindccm-1 (running)", "device busy")
	})
}

// blinded is an engine that lists nothing any more once a container was removed.
type blinded struct {
	fixture
	blind *bool
}

func (b blinded) Remove(ctx context.Context, id string) error {
	*b.blind = true
	return b.fixture.Remove(ctx, id)
}

func (b blinded) List(ctx context.Context, labels map[string]string) ([]engine.Container, error) {
	if *b.blind {
		return nil, engine.ErrUnavailable
	}
	return b.fixture.List(ctx, labels)
}

// TestStopSaysWhenItCanNotLook: that nothing is left is for the engine to say.
func TestStopSaysWhenItCanNotLook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.putProxy("kindccm-1", "demo", time.Now())
		c := shortened(cloudprovider.New(blinded{f, new(bool)}, config()))
		wantError(t, c.Stop(t.Context()), `load balancers of cluster "demo"`, engine.ErrUnavailable.Error())
	})
}

// TestStopEngineWide must not be graceful: the controller would remove the load balancers of all.
func TestStopEngineWide(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		cfg := config()
		cfg.ClusterName = ""
		wide, scoped := f.controller(cfg), f.controller(config())
		f.mustStart(scoped)
		f.putProxy("kindccm-1", "demo", time.Now())
		f.behave(enginetest.Behaviour{OnStop: func() { t.Error("it was stopped gracefully") }})
		if err := wide.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.Put(engine.Container{Name: "bare", Labels: map[string]string{cloudprovider.LabelCluster: ""}})
		if err := wide.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.wantNames("bare", name, "demo-control-plane", "kindccm-1")
	})
}

// TestStartAfterAStopThatWasCutOff starts a controller while the one before,
// which was told to end, is still at it: with that one nothing would be left.
func TestStartAfterAStopThatWasCutOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		ctx, cancel := context.WithCancel(t.Context())
		goOn, ended := make(chan struct{}), make(chan struct{})
		f.behave(enginetest.Behaviour{Logs: attachLog("demo"), OnStop: func() {
			cancel()
			<-goOn
			close(ended)
		}})
		before := f.mustStart(c)
		if err := c.Stop(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("Stop = %v, want %v", err, context.Canceled)
		}
		f.behave(enginetest.Behaviour{Logs: attachLog("demo")})
		after := f.mustStart(c)
		close(goOn)
		<-ended
		if !c.Running(t.Context()) || after.ID == before.ID {
			t.Errorf("the controller was %s and is %s, which runs: %v", before.ID, after.ID, c.Running(t.Context()))
		}
	})
}
