//go:build integration

package kindenv_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

const (
	// faultsEnv is how many rounds of three faults TestFaultsOnTheRealEngine tries; default 1.
	faultsEnv = "MAGEKIND_FAULT_ROUNDS"
	// seedEnv repeats a run: its choice of calls and of kinds of faults.
	seedEnv = "MAGEKIND_E2E_SEED"

	callsOfUp, callsOfDown = 42, 9 // that an Up and a Down make, about
)

// TestFaultsOnTheRealEngine is a sample of TestSweep with a real engine, kind,
// cluster and cloud provider: a fault in Up and then Down; a fault in Up and
// then Up; a fault in Down and then Down.
func TestFaultsOnTheRealEngine(t *testing.T) {
	r := newReal(t)
	seed := numberOf(t, seedEnv, uint64(time.Now().UnixMilli()))
	t.Logf("%s=%d", seedEnv, seed)
	f := &faultyReal{real: r, t: t, random: rand.New(rand.NewPCG(seed, 0))}
	f.putNeighbour()
	f.before = f.files()
	defer func() { t.Logf("%d faults, of which %d were survived", f.struck, f.survived) }()
	for range numberOf(t, faultsEnv, 1) {
		f.strike("up", callsOfUp, (*kindenv.Environment).Up)
		f.must((*kindenv.Environment).Down)
		f.nothingLeft()
		f.strike("up", callsOfUp, (*kindenv.Environment).Up)
		f.up(t)
		if status, err := f.Status(t.Context()); err != nil || status.API != "ready" || !f.config.NoCloudProvider && !status.Serves {
			t.Errorf("after an Up that follows a fault the status is %+v (%v)", status, err)
		}
		f.strike("down", callsOfDown, (*kindenv.Environment).Down)
		f.must((*kindenv.Environment).Down)
		f.nothingLeft()
	}
}

// faultyReal is a real environment in which faults happen.
type faultyReal struct {
	*real
	t         *testing.T
	random    *rand.Rand
	neighbour engine.Container
	before    []string // files

	struck, survived int
}

// strike runs a command with a fault at one of its calls.
func (f *faultyReal) strike(what string, calls int, do command) {
	f.t.Helper()
	kinds := effects()
	maps.DeleteFunc(kinds, func(_ string, e effect) bool { return e.survives || e.waits })
	name := slices.Sorted(maps.Keys(kinds))[f.random.IntN(len(kinds))]
	n := 1 + f.random.IntN(calls)
	ctx, cancel := context.WithCancel(f.t.Context())
	defer cancel()
	faults := kindtest.NewFaults()
	kinds[name].set(faults, n, cancel)
	env, err := kindenv.NewAround(f.config, faults.Around, func(d kindenv.Driver) kindenv.Driver {
		return kindtest.Around(faults, d.(kindtest.Driver))
	})
	if err != nil {
		f.t.Fatal(err)
	}
	err = do(env, ctx)
	made := faults.Calls()
	if len(made) < n {
		f.t.Logf("%s: made %d calls, so call %d did not come", what, len(made), n)
		if err != nil {
			f.t.Errorf("%s without a fault: %v", what, err)
		}
		return
	}
	f.t.Logf("%s: call %d, %q, %s: %v", what, n, made[n-1], name, err)
	f.struck++
	if err == nil {
		f.survived++
	} else if unnamed := namesTheStep(err, made[n-1]); unnamed != nil {
		f.t.Error(unnamed)
	}
	f.leftAlone(made)
}

func (f *faultyReal) must(do command) {
	f.t.Helper()
	if err := do(f.Environment, f.t.Context()); err != nil {
		f.t.Fatalf("without a fault: %v", err)
	}
}

// putNeighbour makes a load balancer of another cluster, whose name begins with this one's.
func (f *faultyReal) putNeighbour() {
	f.t.Helper()
	name := f.Name() + "-2"
	id, err := f.engine.Create(f.t.Context(), engine.Spec{
		Name: "kindccm-" + name, Image: f.config.NodeImage, Command: []string{"sleep", "inf"},
		Labels: map[string]string{cloudprovider.LabelCluster: name, cloudprovider.LabelLoadBalancer: name + "/default/web"},
	})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = f.engine.Remove(context.WithoutCancel(f.t.Context()), id) })
	f.neighbour = f.described(name)
}

func (f *faultyReal) described(cluster string) engine.Container {
	f.t.Helper()
	found, err := f.engine.List(f.t.Context(), map[string]string{cloudprovider.LabelCluster: cluster})
	if err != nil || len(found) != 1 {
		f.t.Fatalf("containers of cluster %q are %v (%v), want the neighbour's one", cluster, found, err)
	}
	return found[0]
}

func (f *faultyReal) leftAlone(calls []string) {
	f.t.Helper()
	if now := f.described(f.Name() + "-2"); now.ID != f.neighbour.ID || now.State != f.neighbour.State {
		f.t.Errorf("the neighbour's load balancer is %+v, was %+v", now, f.neighbour)
	}
	for _, call := range calls {
		if name, ok := changes(call); ok && !strings.HasPrefix(name, f.Name()) && !strings.HasPrefix(name, "kindccm-") {
			f.t.Errorf("call %q touches what is not the environment's", call)
		}
	}
}

// nothingLeft looks for what there is of the environment.
func (f *faultyReal) nothingLeft() {
	f.t.Helper()
	if left := f.ids(f.t); len(left) > 0 {
		f.t.Errorf("containers are left: %v", left)
	}
	attached, err := exec.CommandContext(f.t.Context(), "docker", "network", "inspect", "kind", "--format", "{{range .Containers}}{{.Name}} {{end}}").Output()
	if err != nil || strings.Contains(string(attached), f.Name()+"-control-plane") || strings.Contains(string(attached), f.Name()+"-cloud-provider") {
		f.t.Errorf("attached to the network are %s (%v)", attached, err)
	}
	if raw, err := os.ReadFile(f.kubeconfig); err == nil && strings.Contains(string(raw), f.Context()) {
		f.t.Errorf("the user's kubeconfig has still:\n%s", raw)
	}
	if now := f.files(); !slices.Equal(now, f.before) {
		f.t.Errorf("files are %q, were %q", now, f.before)
	}
	f.leftAlone(nil)
}

// files are the paths in the environment's folders but for the user's kubeconfig, and answers about images.
func (f *faultyReal) files() []string {
	f.t.Helper()
	var paths []string
	err := filepath.WalkDir(f.config.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && path != f.kubeconfig && !strings.HasPrefix(entry.Name(), cachedAnswer) {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return paths
}

// numberOf is what an environment variable says.
func numberOf(t *testing.T, variable string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", variable, err))
	}
	return n
}
