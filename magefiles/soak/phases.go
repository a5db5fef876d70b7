package soak

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/magekind/magekind/magefiles/check"
)

// Options say what to do and how long.
type Options struct {
	// Root is the working tree of this module.
	Root string
	// Env is asked, when a phase starts, for the environment variables that name the images.
	Env func() []string
	// Needs names the phase that prepares engine and images.
	Needs string
	// Rounds is how many steps each of the projects side by side takes.
	Rounds int
	// Seed decides what is left to chance.
	Seed int
	// FuzzTime is how long each fuzz target runs.
	FuzzTime time.Duration
	// Only leaves out the phases whose name does not contain it.
	Only string
}

// The moments at which the targets are killed.
const (
	killsUp   = 20
	killsDown = 5
)

// Phases are the parts of a soak, in order. A phase is a run of tests that have
// a short version too, and are told by their environment to do more; what they
// have done they tell with [testing.T.Attr].
func Phases(o Options) ([]check.Phase, error) {
	all := o.phases()
	if o.Rounds < 1 || o.Seed < 0 {
		return nil, fmt.Errorf("rounds %d, seed %d: give at least 1 round, and no negative seed", o.Rounds, o.Seed)
	}
	some := slices.DeleteFunc(slices.Clone(all), func(phase check.Phase) bool { return !strings.Contains(phase.Name, o.Only) })
	if len(some) == 0 {
		return nil, fmt.Errorf("only %q: there is no such phase; there are %s", o.Only, names(all))
	}
	return some, nil
}

func names(phases []check.Phase) string {
	quoted := make([]string, len(phases))
	for i, phase := range phases {
		quoted[i] = fmt.Sprintf("%q", phase.Name)
	}
	return strings.Join(quoted, ", ")
}

func (o Options) phases() []check.Phase {
	const e2e = "./magefiles/e2e"
	return []check.Phase{
		o.tests("kills over env:up and env:down", []string{
			fmt.Sprintf("MAGEKIND_E2E_KILLS_UP=%d", killsUp), fmt.Sprintf("MAGEKIND_E2E_KILLS_DOWN=%d", killsDown),
		}, "-tags=e2e", "-parallel=2", "-run=^TestKilled$", e2e),
		o.tests("projects side by side", []string{
			fmt.Sprintf("MAGEKIND_E2E_ROUNDS=%d", o.Rounds),
		}, "-tags=e2e", "-run=^(TestInterleaved|TestAtOnce)$", e2e),
		o.tests("faults at every call of the fakes", []string{"MAGEKIND_SWEEP=all"}, "-run=^TestSweep$", "./kindenv"),
		o.tests("faults on the real engine", []string{
			fmt.Sprintf("MAGEKIND_FAULT_ROUNDS=%d", o.Rounds),
		}, "-tags=integration", "-run=^TestFaultsOnTheRealEngine$", "./kindenv"),
		o.tests("eight projects on the fakes", []string{
			"MAGEKIND_STREET_ROUNDS=60", fmt.Sprintf("MAGEKIND_STREET_SEED=%d", o.Seed),
		}, "-run=^TestStreet$", "./kindenv"),
		o.tests("locks held and lost by many", []string{"MAGEKIND_LOCK_ROUNDS=300"}, "./kindenv/internal/lock"),
		{Name: "fuzzing", Run: o.fuzz},
	}
}

// tests is a phase that runs tests on the engine with more in their environment.
func (o Options) tests(name string, env []string, args ...string) check.Phase {
	return check.Phase{Name: name, Needs: []string{o.Needs}, Run: func(ctx context.Context, out io.Writer) error {
		env := append(append(o.Env(), fmt.Sprintf("MAGEKIND_E2E_SEED=%d", o.Seed)), env...)
		common := append([]string{"test", "-count=1", "-v", "-timeout=12h"}, check.Race(ctx, out, o.Root)...)
		args := append(common, args...)
		return check.Command(ctx, out, o.Root, env, "go", args...)
	}}
}
