package kindenv_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv"
)

const (
	// The street's rounds, if not as few as suit a quick test, and its seed, if not one by chance.
	streetRoundsEnv = "MAGEKIND_STREET_ROUNDS"
	streetSeedEnv   = "MAGEKIND_STREET_SEED"

	streetRounds = 3
	pastime      = 30 * time.Second // that a project does nothing, at most
	haste        = 20 * time.Second // after which somebody presses Ctrl-C, at most
	upCalls      = 30               // that an up from nothing makes, about
	downCalls    = 10
)

// TestStreet has eight projects come up and go down side by side on one
// engine, with one kubeconfig, while calls fail, hang and are cancelled. After
// each command its project is whole or gone, as it should be, and before each
// one it is as the last one left it, whatever the neighbours did meanwhile.
func TestStreet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStreet(t)
		t.Logf("seed %d; set %s to repeat it", s.seed, streetSeedEnv)
		var all sync.WaitGroup
		for i, name := range slices.Sorted(maps.Keys(s.tenants)) {
			r := &resident{street: s, name: name, random: rand.New(rand.NewPCG(s.seed, uint64(i)))}
			all.Go(func() {
				if err := r.live(number(streetRoundsEnv, streetRounds)); err != nil {
					t.Errorf("%s: %v", r.name, err)
				}
			})
		}
		all.Wait()
		time.Sleep(goodBye) // of cloud providers whose end nobody awaited
		if err := s.empty(); err != nil {
			t.Errorf("at the end: %v", err)
		}
		t.Logf("%d commands, %d of them at the same time as another of their project; %d faults, %d interrupts; %d failed",
			s.commands.Load(), s.doubled.Load(), s.faults.Load(), s.interrupts.Load(), s.failed.Load())
	})
}

func number(env string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(env)); err == nil {
		return n
	}
	return otherwise
}

// resident is a project on the street.
type resident struct {
	*street
	name   string
	random *rand.Rand
	left   *belongings // as the last command left them; nil: not known
}

// live goes through rounds, and goes away at the end.
func (r *resident) live(rounds int) error {
	for range rounds {
		time.Sleep(time.Duration(r.random.Int64N(int64(pastime))))
		if err := r.round(); err != nil {
			return err
		}
	}
	return r.settleOn(false)
}

// round is a command, or two at once, and if that did not succeed a second one.
func (r *resident) round() error {
	if err := r.undisturbed(); err != nil {
		return err
	}
	up := r.random.IntN(3) > 0
	twice := r.random.IntN(4) == 0
	results := make(chan error, 2)
	go func(what attempt) { results <- r.try(what) }(r.attempt(up))
	if twice {
		r.doubled.Add(1)
		other := r.attempt(r.random.IntN(2) == 0)
		go func() { results <- r.try(other) }()
		if err := <-results; err != nil && !errors.Is(err, errTrouble) {
			return errors.Join(err, <-results)
		}
	}
	switch err := <-results; {
	case err == nil && !twice:
		return r.check(up)
	case err != nil && !errors.Is(err, errTrouble):
		return err
	}
	return r.settleOn(r.random.IntN(2) == 0)
}

// settleOn runs a command without trouble, which has to succeed.
func (r *resident) settleOn(up bool) error {
	r.left = nil
	if err := r.try(attempt{up: up}); err != nil {
		return err
	}
	return r.check(up)
}

// othersIn returns an error about calls that change what is not this project's.
func (r *resident) othersIn(calls []string) error {
	own := map[string]bool{}
	for _, name := range r.names() {
		own[name] = true
	}
	for _, call := range calls {
		method, argument, _ := strings.Cut(call, " ")
		switch method {
		case "kind.Create", "kind.Delete", "kind.LoadArchive":
			if argument != r.name {
				return fmt.Errorf("it called %q", call)
			}
		case "Create", "Start", "Stop", "Kill", "Remove", "Pause", "Unpause", "Exec":
			name, _, _ := strings.Cut(argument, " ")
			if !own[name] && !strings.HasPrefix(name, r.name+"-cloud-provider-list-images-") {
				return fmt.Errorf("it called %q", call)
			}
		}
	}
	return nil
}

// names are the project's containers when it is up.
func (r *resident) names() []string {
	return []string{"kindccm-gw-" + r.name, "kindccm-svc-" + r.name, r.name + "-cloud-provider", r.name + "-control-plane"}
}

func (r *resident) environment(faults *enginetest.Faults) (*kindenv.Environment, *output) {
	out := &output{}
	env, err := r.enter(r.name, faults, out)
	if err != nil {
		r.t.Fatal(err)
	}
	return env, out
}
