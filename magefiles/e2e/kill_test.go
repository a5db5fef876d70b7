//go:build e2e

package e2e

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/magekind/magekind/magefiles/moment"
)

// TestKilled kills env:up and env:down at moments all over their course, by
// what cannot be caught, and goes on from there with env:down, which must leave
// nothing, or env:up, whose environment must serve. All projects share a
// kubeconfig with a neighbour, to whom nothing must happen.
func TestKilled(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(seed(t), 0))
	neighbour := newProject(t, 0)
	up := neighbour.timed("env:up")
	watch := neighbour.watch()
	var down downs
	t.Run("up", func(t *testing.T) {
		for _, s := range strikesAtUp(up, number(t, killsUpEnv, 3), chance) {
			t.Run(s.String(), func(t *testing.T) {
				t.Parallel()
				p := newProject(t, 0)
				p.share(neighbour)
				p.killed(s, &down)
			})
		}
	})
	t.Run("down", func(t *testing.T) {
		for _, s := range strikes("env:down", down.timeline(t, neighbour), number(t, killsDownEnv, 1), chance) {
			t.Run(s.String(), func(t *testing.T) {
				t.Parallel()
				p := newProject(t, 0)
				p.share(neighbour)
				p.insist("env:up")
				p.killed(s, &down)
			})
		}
	})
	watch.end(t)
	count(t, "answers-of-the-neighbour", watch.pages)
}

// strikesAtUp are n of them, the last of which are at the one moment when an
// engine may make something although whoever asked for it is dead.
func strikesAtUp(up moment.Timeline, n int, chance *rand.Rand) []strike {
	all := strikes("env:up", up, n, chance)
	shift := chance.IntN(2)
	for i := n - max(min(n, 1), n/10); i < n; i++ {
		all[i].making, all[i].alone = true, true
		all[i].then = []string{"env:down", "env:up"}[(i+shift)%2]
	}
	return all
}

// strikes are n of them, spread over the target's course, in every combination
// of who is killed and what comes then.
func strikes(target string, course moment.Timeline, n int, chance *rand.Rand) []strike {
	all := make([]strike, n)
	shift := chance.IntN(8)
	for i, when := range course.Spread(n, chance) {
		kind := i + shift
		all[i] = strike{target: target, when: when, alone: kind/4%2 == 1, then: "env:down"}
		if kind/2%2 == 1 {
			all[i].then = "env:up"
		}
	}
	return all
}

// killed kills the target and goes on from there.
func (p *project) killed(s strike, down *downs) {
	p.t.Helper()
	p.mage("-l") // compiles, so that mage has nothing more to do than to start
	p.strike(s)
	volumes := p.volumes()
	if s.then == "env:up" {
		p.assertTakesOver(p.insist("env:up").String())
		p.assertNodes(1)
		p.assertServes()
		volumes = append(volumes, p.volumes()...)
		down.add(p.timed("env:down"))
	} else {
		p.assertTakesOver(p.mage("env:down"))
	}
	p.assertNothingLeft(volumes)
}

// assertTakesOver checks that nobody waited for the process that was killed.
func (p *project) assertTakesOver(out string) {
	p.t.Helper()
	if strings.Contains(out, "Waiting for another command") {
		p.t.Errorf("the lock of a killed process was waited for:\n%s", out)
	}
}

// downs are the courses of env:down, as they are observed.
type downs struct {
	mu  sync.Mutex
	all []moment.Timeline
}

func (d *downs) add(course moment.Timeline) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all = append(d.all, course)
}

// timeline is one that was observed, else one of a project that is made for it.
func (d *downs) timeline(t *testing.T, neighbour *project) moment.Timeline {
	t.Helper()
	if len(d.all) == 0 && number(t, killsDownEnv, 1) > 0 {
		p := newProject(t, 0)
		p.share(neighbour)
		p.insist("env:up")
		d.add(p.timed("env:down"))
	}
	if len(d.all) == 0 {
		return moment.Timeline{}
	}
	return d.all[len(d.all)-1]
}
