package cloudprovider_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// TestRenew replaces a controller that runs as configured, and keeps what serves.
func TestRenew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		before := f.mustStart(c)
		service := f.putProxy("kindccm-1", "demo", time.Now())
		gateway := f.putProxy("kindccm-gw-1", "demo", time.Now())
		other := f.putProxy("kindccm-gw-2", "other", time.Now())
		if err := c.Renew(t.Context()); err != nil {
			t.Fatal(err)
		}
		all, err := f.List(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		there := map[string]engine.Container{}
		for _, container := range all {
			there[container.ID] = container
		}
		if _, ok := there[before.ID]; ok {
			t.Error("the controller is the same")
		}
		if _, ok := there[gateway]; ok {
			t.Error("the Gateway's proxy is there, which dials the controller before")
		}
		for _, id := range []string{service, other} {
			if _, ok := there[id]; !ok {
				t.Errorf("load balancer %s is gone, want it kept", id)
			}
		}
		if err := c.Attached(t.Context()); err != nil {
			t.Errorf("the new controller: %v", err)
		}
	})
}

func TestRenewStartsWhatIsAbsent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		if err := c.Renew(t.Context()); err != nil || !c.Running(t.Context()) {
			t.Errorf("got %v, want that it runs", err)
		}
	})
}
