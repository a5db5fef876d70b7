package kindenv_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
)

// TestNerdctlIsNoWayOut has nerdctl installed, and an engine that is named or
// whose failure is another than that there is none: that is what to tell.
func TestNerdctlIsNoWayOut(t *testing.T) {
	t.Parallel()
	absent := fmt.Errorf("%w: nothing answers", engine.ErrUnavailable)
	tests := map[string]struct {
		failure error
		given   func(w *world, cfg *kindenv.Config)
	}{
		"the engine refuses us":       {errors.New("permission denied"), func(*world, *kindenv.Config) {}},
		"the engine of Host":          {absent, func(_ *world, cfg *kindenv.Config) { cfg.Host = host }},
		"the engine of DOCKER_HOST":   {absent, func(w *world, _ *kindenv.Config) { w.Env["DOCKER_HOST"] = host }},
		"the engine of a kind wanted": {absent, func(_ *world, cfg *kindenv.Config) { cfg.Runtime = "podman" }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				delete(w.Env, "DOCKER_HOST")
				w.Installed = []string{"nerdctl"}
				w.World.Engine, w.EngineError = nil, tt.failure
				env := w.environment(func(cfg *kindenv.Config) { tt.given(w, cfg) })
				if _, err := env.Status(t.Context()); !errors.Is(err, tt.failure) {
					t.Errorf("Status = %v, want %v", err, tt.failure)
				}
			})
		})
	}
}

func TestUpPullsOnlyWhatIsAbsent(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.engine.Fail("Image", 0, errors.New("the engine is confused"))
		wantError(t, w.environment().Up(t.Context()), "node image", "confused")
		for _, call := range w.engine.Calls() {
			if strings.HasPrefix(call, "Pull") {
				t.Errorf("the engine was asked to %s", call)
			}
		}
	})
}
