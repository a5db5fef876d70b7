package kindenv_test

import (
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

func TestUpWarnsOfTheInotifyLimit(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		allowed, others int
		remote, want    bool
	}{
		"enough":                 {allowed: 128, others: 2},
		"no limit known":         {allowed: 0, others: 9},
		"one node too many":      {allowed: 128, others: 4, want: true},
		"not this machine's one": {allowed: 128, others: 4, remote: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.InotifyInstances = tt.allowed
				if tt.remote {
					endpoint := w.engine.Endpoint()
					endpoint.Remote = true
					w.engine.SetEndpoint(endpoint)
				}
				for i := range tt.others {
					w.engine.Put(engine.Container{
						Name: "other-" + string(rune('a'+i)), State: engine.Running, Labels: map[string]string{kind.LabelCluster: "other"},
					})
				}
				w.up(w.environment())
				if got := strings.Contains(w.out.String(), "fs.inotify.max_user_instances"); got != tt.want {
					t.Errorf("warned: %v, want %v:\n%s", got, tt.want, w.out)
				}
			})
		})
	}
}

func TestUpMakesNoClusterForAnImageThatIsNotThere(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		env := w.environment(func(cfg *kindenv.Config) { cfg.Images = []string{"localhost/absent:1"} })
		wantError(t, env.Up(t.Context()), "localhost/absent:1", "build or pull it first")
		if got := w.nodes(); len(got) > 0 {
			t.Errorf("nodes were made: %v", got)
		}
	})
}
