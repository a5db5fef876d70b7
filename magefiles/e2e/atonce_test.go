//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/moment"
)

// TestAtOnce has two commands on one project at the same time: the one that
// comes second waits, says for whom, and decides what there is in the end.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	p := newProject(t, 0)
	p.mage("-l")
	steps := []struct {
		name          string
		first, second string
		check         func(*project)
	}{
		{"up and down", "env:up", "env:down", func(p *project) { p.assertNothingLeft(nil) }},
		{"up and up", "env:up", "env:up", func(p *project) { p.assertNodes(1); p.assertServes() }},
		{"down and up", "env:down", "env:up", func(p *project) { p.assertNodes(1); p.assertServes() }},
		{"down and down", "env:down", "env:down", func(p *project) { p.assertNothingLeft(nil) }},
	}
	for _, step := range steps {
		ok := t.Run(step.name, func(t *testing.T) {
			p := p.in(t)
			for tries := 1; !p.atOnce(step.first, step.second, tries == 3); tries++ {
				count(t, "kubeadm-gave-up", 1)
				p.mage("env:down")
				if step.first == "env:down" { // which has to have something to do
					p.insist("env:up")
				}
			}
			step.check(p)
		})
		if !ok {
			t.FailNow()
		}
	}
	count(t, "pairs-at-once", len(steps))
}

// running is a command that has been started.
type running struct {
	cmd *exec.Cmd
	out *syncBuffer
}

func (p *project) start(target string) running {
	p.t.Helper()
	cmd, out := p.command(p.t.Context(), target)
	if err := shared.made.start(cmd); err != nil {
		p.t.Fatal(err)
	}
	return running{cmd, out}
}

// atOnce starts the second target while the first one is at work, and holds the
// first one up until the second one has seen it. It returns false, unless that
// was the last try, when kubeadm had too little time on a busy machine.
func (p *project) atOnce(first, second string, last bool) bool {
	p.t.Helper()
	before := p.snapshot()
	a := p.start(first)
	a.out.await(p.t.Context(), moment.Moment{Lines: 1})
	holder, ok := magefile(p.t, a.cmd)
	if !ok {
		p.t.Fatalf("mage %s has ended too soon:\n%s", first, a.out)
	}
	_ = syscall.Kill(holder, syscall.SIGSTOP)
	b := p.start(second)
	eventually(p.t, time.Minute, func(context.Context) error {
		if !strings.Contains(b.out.String(), "Waiting for another") {
			return fmt.Errorf("%s does not say that it waits for %s:\n%s", second, first, b.out)
		}
		return nil
	})
	_ = syscall.Kill(holder, syscall.SIGCONT)
	err := errors.Join(a.cmd.Wait(), b.cmd.Wait())
	if err != nil && !last && (kubeadmGaveUp(a.out) || kubeadmGaveUp(b.out)) {
		return false
	}
	if err != nil {
		p.t.Fatalf("%s and %s at once: %v\n%s\n%s", first, second, err, a.out, b.out)
	}
	want := fmt.Sprintf("Waiting for another command on environment %q: process %d (mage %s)", p.name, holder, first)
	if !strings.Contains(b.out.String(), want) {
		p.t.Errorf("the second one's output lacks %q:\n%s", want, b.out)
	}
	if strings.Contains(a.out.String(), "Waiting for another") {
		p.t.Errorf("the first one has waited:\n%s", a.out)
	}
	if first == second && first == "env:up" {
		p.assertFoundDone(b.out.String(), before)
	}
	return true
}

// assertFoundDone checks that the second of two env:up had nothing to do.
func (p *project) assertFoundDone(out string, before []string) {
	p.t.Helper()
	for _, made := range []string{"Preparing nodes", "Loading", "Starting cloud provider"} {
		if strings.Contains(out, made) {
			p.t.Errorf("the second env:up did what the first one had done (%s):\n%s", made, out)
		}
	}
	if after := p.snapshot(); len(before) > 0 || len(after) < 3 {
		p.t.Errorf("there was %q before; now there is %q", before, after)
	}
}
