//go:build e2e

package e2e

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/moment"
)

// TestInterleaved has three projects that go up and down, and are killed on
// their way, independently of each other on one engine. After each step a
// project is as it should be, and while it is up it serves, whatever the
// others do. Three clusters in the making are enough for two cores: nothing
// else runs at the same time.
func TestInterleaved(t *testing.T) {
	seed, rounds := seed(t), number(t, roundsEnv, 2)
	first := newProject(t, 0)
	players := []*player{{project: first}, {project: newProject(t, 0)}, {project: newProject(t, 0)}}
	var all sync.WaitGroup
	for i, p := range players {
		p.share(first)
		p.chance = rand.New(rand.NewPCG(seed, uint64(i)))
		steps := p.plan(rounds)
		t.Logf("%s: %q", p.name, steps)
		all.Go(func() {
			t.Run(p.name, func(t *testing.T) { // at the same time, which t.Parallel would not promise
				p.project = p.in(t)
				for _, step := range steps {
					t.Logf("%s: %s", p.name, step)
					p.take(step)
				}
			})
		})
	}
	all.Wait()
	count(t, "rounds", rounds)
}

// The steps of a player.
const (
	stepUp         = "up"
	stepDown       = "down"
	stepKilledUp   = "killed up"
	stepKilledDown = "killed down"
)

// player is a project of which others must not notice what it does.
type player struct {
	*project
	chance *rand.Rand
	watch  *watch // while it is up
	course moment.Timeline
}

// plan is so many random steps, with what they need before them, and a last one down.
func (p *player) plan(rounds int) []string {
	all := []string{stepUp, stepDown, stepKilledUp, stepKilledDown}
	steps := []string{stepUp}
	for range rounds - 1 {
		step := all[p.chance.IntN(len(all))]
		if step == stepKilledDown && steps[len(steps)-1] != stepUp {
			steps = append(steps, stepUp)
		}
		steps = append(steps, step)
	}
	return append(steps, stepDown)
}

func (p *player) take(step string) {
	p.t.Helper()
	switch step {
	case stepUp:
		p.up()
	case stepDown:
		p.down()
	case stepKilledUp:
		p.kill("env:up")
	case stepKilledDown:
		p.kill("env:down")
	}
}

// up makes the environment, or lets it be.
func (p *player) up() {
	p.t.Helper()
	if p.watch != nil {
		before := p.snapshot()
		p.mage("env:up")
		if after := p.snapshot(); !slices.Equal(before, after) {
			p.t.Errorf("containers of %s after another env:up:\n%q\nwant them as before:\n%q", p.name, after, before)
		}
		return
	}
	p.course = p.timed("env:up")
	p.assertNodes(1)
	p.watch = p.project.watch()
	count(p.t, "ups", 1)
}

func (p *player) down() {
	p.t.Helper()
	p.rest()
	volumes := p.volumes()
	p.mage("env:down")
	p.assertNothingLeft(volumes)
	count(p.t, "downs", 1)
}

// kill kills the target on its way. An env:up on what is up already must not
// disturb it either.
func (p *player) kill(target string) {
	p.t.Helper()
	span := p.course.End
	if target == "env:down" {
		p.rest()
	}
	if target == "env:down" || p.watch != nil {
		span = min(span, quick)
	}
	when := moment.Moment{Rest: time.Duration(p.chance.Float64() * float64(span))}
	p.strike(strike{target: target, when: when, alone: p.chance.IntN(2) == 0})
}

// quick is how long targets take that have nothing to wait for, about.
const quick = 3 * time.Second

// rest ends the watch over the project.
func (p *player) rest() {
	p.t.Helper()
	if p.watch != nil {
		p.watch.end(p.t)
		p.watch = nil
	}
}
