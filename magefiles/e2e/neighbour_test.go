//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/moment"
)

// watch asks for an environment's page all the time, and knows what its
// containers and its kubeconfig entry were at the beginning.
type watch struct {
	p      *project
	before []string
	entry  string
	stop   context.CancelFunc
	done   sync.WaitGroup
	pages  int
	errs   []string
}

const (
	// between two looks at a page
	lookEvery = 200 * time.Millisecond
	// slow is how long a page may take on a machine that is making several clusters.
	slow = 30 * time.Second
)

// watch begins with a project that is up and serves.
func (p *project) watch() *watch {
	p.t.Helper()
	address := p.assertServes()
	ctx, stop := context.WithCancel(context.Background())
	p.t.Cleanup(stop)
	w := &watch{p: p, before: p.snapshot(), entry: p.entry(), stop: stop}
	w.done.Go(func() {
		for ctx.Err() == nil {
			page, err := getWithin(ctx, slow, address)
			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				w.errs = append(w.errs, fmt.Sprintf("%s: %v", time.Now().Format(time.TimeOnly), err))
			case !strings.Contains(page, p.name):
				w.errs = append(w.errs, fmt.Sprintf("%s: got the page %q", time.Now().Format(time.TimeOnly), page))
			}
			w.pages++
			time.Sleep(lookEvery)
		}
	})
	return w
}

// end ends the watch and reports to t all that others have done to the project.
func (w *watch) end(t *testing.T) {
	t.Helper()
	w.stop()
	w.done.Wait()
	p := w.p.in(t)
	if len(w.errs) > 0 {
		t.Errorf("%s did not serve %d of %d times:\n%s", p.name, len(w.errs), w.pages, strings.Join(w.errs[:min(5, len(w.errs))], "\n"))
	}
	if after := p.snapshot(); !slices.Equal(w.before, after) {
		t.Errorf("containers of %s:\n%q\nwant them as before:\n%q", p.name, after, w.before)
	}
	if after := p.entry(); after != w.entry {
		t.Errorf("the kubeconfig entry of %s:\n%s\nwant it as before:\n%s", p.name, after, w.entry)
	}
	t.Logf("%s answered %d requests meanwhile", p.name, w.pages)
}

// entry is what the kubeconfig says of the project's cluster.
func (p *project) entry() string {
	p.t.Helper()
	text, err := p.kubectl("config", "view", "--raw", "--minify", "--output=json")
	if err != nil {
		p.t.Error(err)
	}
	return text
}

// timed runs a target that must succeed and returns its course. mage compiles before.
func (p *project) timed(target string) moment.Timeline {
	p.t.Helper()
	p.mage("-l")
	out := p.insist(target)
	return out.timeline()
}

// insist runs a target that must succeed. On a machine that makes several
// clusters at once kubeadm may lack the time for a request of its own, which
// has a limit of ten seconds: such an env:up is to leave nothing in the way of
// the next one.
func (p *project) insist(target string) *syncBuffer {
	p.t.Helper()
	for tries := 1; ; tries++ {
		ctx, cancel := context.WithTimeout(p.t.Context(), patience)
		defer cancel()
		cmd, out := p.command(ctx, target)
		err := shared.made.start(cmd)
		if err == nil {
			err = cmd.Wait()
		}
		p.t.Logf("%s: mage %s took %s", p.name, target, out.timeline().End.Round(100*time.Millisecond))
		if err == nil {
			return out
		}
		if tries == 3 || !kubeadmGaveUp(out) {
			p.t.Fatalf("mage %s: %v\n%s", target, err, out)
		}
		count(p.t, "kubeadm-gave-up", 1)
	}
}

func kubeadmGaveUp(out *syncBuffer) bool {
	return strings.Contains(out.String(), "error execution phase wait-control-plane")
}
