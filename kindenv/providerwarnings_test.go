package kindenv_test

import (
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
)

const rival = `Container "upstream" is a cloud provider for every cluster`

func TestStatusWarnsAboutTheCloudProvider(t *testing.T) {
	t.Parallel()
	running := cloudprovider.Status{State: engine.Running, Clusters: []string{"x"}, Reason: "running"}
	with := func(change func(*cloudprovider.Status)) cloudprovider.Status {
		state := running
		change(&state)
		return state
	}
	for name, tt := range map[string]struct {
		state  cloudprovider.Status
		absent bool // the cluster
		none   bool // no cloud provider is configured
		serves bool
		want   []string
	}{
		"all is well":        {state: running, serves: true},
		"another cluster":    {state: with(func(s *cloudprovider.Status) { s.Clusters = []string{"y"} })},
		"absent":             {state: cloudprovider.Status{}, want: []string{"env:up starts it"}},
		"outdated":           {state: with(func(s *cloudprovider.Status) { s.Outdated = true }), serves: true, want: []string{"env:up makes it anew"}},
		"exited":             {state: with(func(s *cloudprovider.Status) { s.State = engine.Exited }), want: []string{"env:up makes it anew"}},
		"a rival":            {state: with(func(s *cloudprovider.Status) { s.Warnings = []string{rival} }), serves: true, want: []string{rival}},
		"a rival and absent": {state: cloudprovider.Status{Warnings: []string{rival}}, want: []string{"env:up starts it", rival}},
		"no cluster":         {state: running, absent: true, serves: true, want: []string{"env:down removes it"}},
		"nothing at all":     {state: cloudprovider.Status{}, absent: true},
		"not configured":     {state: cloudprovider.Status{Warnings: []string{rival}}, none: true},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				with := func(cfg *kindenv.Config) { cfg.NoCloudProvider = tt.none }
				if !tt.absent {
					w.up(w.environment(with))
				}
				w.provider.status = &tt.state
				status, err := w.environment(with).Status(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if status.Serves != tt.serves {
					t.Errorf("Serves = %t, want %t", status.Serves, tt.serves)
				}
				if len(status.Warnings) != len(tt.want) {
					t.Fatalf("Warnings = %q, want %q", status.Warnings, tt.want)
				}
				for i, want := range tt.want {
					if !strings.Contains(status.Warnings[i], want) {
						t.Errorf("warning is %q, want it to say %q", status.Warnings[i], want)
					}
				}
			})
		})
	}
}

// TestEachUpWarnsOfARival: also the one that changes nothing.
func TestEachUpWarnsOfARival(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.provider.status = &cloudprovider.Status{State: engine.Running, Clusters: []string{"x"}, Warnings: []string{rival}}
		for n := 1; n <= 3; n++ {
			w.up(w.environment())
			if got := strings.Count(w.out.String(), rival); got != n {
				t.Errorf("after %d ups the rival is named %d times:\n%s", n, got, w.out)
			}
		}
	})
}
