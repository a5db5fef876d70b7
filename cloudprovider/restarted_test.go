package cloudprovider_test

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestStartAfterTheEngineRestarted: the controller came back by itself, with another port for gateways.
func TestStartAfterTheEngineRestarted(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		proxy   string
		age     time.Duration
		replace bool
	}{
		"older gateway": {"kindccm-gw-1", 30 * time.Minute, true},
		"newer gateway": {"kindccm-gw-1", 0, false},
		"older Service": {"kindccm-1", 30 * time.Minute, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				c := f.controller(config())
				first := f.mustStart(c)
				if err := f.Remove(t.Context(), first.ID); err != nil {
					t.Fatal(err)
				}
				first.CreatedAt, first.StartedAt = time.Now().Add(-time.Hour), time.Now().Add(-time.Minute)
				first.EndedAt = first.StartedAt.Add(-time.Second)
				f.Put(first)
				f.putProxy(test.proxy, "demo", time.Now().Add(-test.age))
				if replaced := f.mustStart(c).ID != first.ID; replaced != test.replace {
					t.Errorf("got replaced %t, want %t", replaced, test.replace)
				}
			})
		})
	}
}
