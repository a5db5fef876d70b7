package enginetest

import (
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// Subject is an engine to examine, and what the suite needs in it.
type Subject struct {
	Engine engine.Engine
	// Image is a local image whose entrypoint is the command in folder program,
	// and which carries the label [SuiteLabel].
	Image string
	// Program is that command's path in the image.
	Program string
	// Network is the name of a network that is there.
	Network string
}

// SuiteLabel is carried by the suite's image and by every container that the
// suite makes; its value tells one check's containers from all others.
const SuiteLabel = "io.magekind.contract"

// check is one rule of the contract.
type check struct {
	name string
	run  func(t *testing.T, b *bench)
}

// Run examines an engine: each rule of the contract is a subtest with a name
// that states it. open is called once for each of them, which run in parallel.
// Rules about capabilities that the engine lacks are skipped. Containers get
// unique names and are removed.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	t.Helper()
	groups := []struct {
		name   string
		checks []check
	}{
		{"list", listChecks()},
		{"create", createChecks()},
		{"files", fileChecks()},
		{"hardening", hardeningChecks()},
		{"start", startChecks()},
		{"stop", stopChecks()},
		{"restart", restartChecks()},
		{"remove", removeChecks()},
		{"images", imageChecks()},
		{"networks", networkChecks()},
		{"cancel", cancelChecks()},
		{"logs", logChecks()},
		{"pause", pauseChecks()},
		{"exec", execChecks()},
	}
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range g.checks {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					c.run(t, newBench(t, open(t)))
				})
			}
		})
	}
}
