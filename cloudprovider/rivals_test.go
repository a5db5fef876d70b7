package cloudprovider_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
)

func TestStartNoticesRivals(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	role := func(owner string) map[string]string {
		return map[string]string{cloudprovider.LabelRole: cloudprovider.RoleController, cloudprovider.LabelOwner: owner}
	}
	f.Put(engine.Container{Name: "upstream", Image: cloudprovider.DefaultImage})
	f.Put(engine.Container{Name: "exited", Image: cloudprovider.DefaultImage, State: engine.Exited})
	f.Put(engine.Container{Name: "ours-engine-wide", Labels: role("")})
	f.Put(engine.Container{Name: "ours-scoped", Image: cloudprovider.DefaultImage, Labels: role("other")})
	f.Put(engine.Container{Name: "unrelated", Image: "example.com/kind"})
	var notices []string
	cfg := config()
	cfg.Notice = func(message string) { notices = append(notices, message) }
	f.mustStart(f.controller(cfg))
	slices.Sort(notices)
	if len(notices) != 2 || !strings.Contains(notices[0], `"ours-engine-wide"`) || !strings.Contains(notices[1], `"upstream"`) {
		t.Errorf("got notices %q, want one for each engine-wide provider that runs", notices)
	}
	for _, name := range []string{"upstream", "ours-engine-wide"} {
		if f.container(name).State != engine.Running {
			t.Errorf("%s was touched", name)
		}
	}
}

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
	}
}
