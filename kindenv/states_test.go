package kindenv_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
	"github.com/magekind/magekind/templates"
)

const (
	plane  = "x-control-plane"
	worker = "x-worker"
)

// pair is a world with a finished cluster of a control plane and a worker.
type pair struct{ *world }

func newPair(t *testing.T) pair {
	t.Helper()
	p := pair{newWorld(t)}
	p.kind.Roles = []string{kind.RoleControlPlane, kind.RoleWorker}
	p.api.Answer(kindtest.PathLeases+worker, kindtest.Renewed)
	p.know(plane, worker)
	p.up(p.environment())
	return p
}

func (p pair) environment() *kindenv.Environment {
	return p.world.environment(func(cfg *kindenv.Config) { cfg.Cluster = templates.Cluster{Workers: 1} })
}

// know sets the nodes that Kubernetes knows.
func (p pair) know(names ...string) {
	nodes := make([]string, len(names))
	for i, name := range names {
		nodes[i] = kindtest.Node(name, true)
	}
	p.api.Answer(kindtest.PathNodes, kindtest.List(nodes...))
}

func (p pair) id(name string) string {
	p.t.Helper()
	for _, node := range p.nodes() {
		if node.Name == name {
			return node.ID
		}
	}
	p.t.Fatalf("there is no %s", name)
	return ""
}

func (p pair) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// in puts a node into a state.
func in(name string, state engine.State) func(pair) {
	return func(p pair) { p.must(p.engine.SetState(p.id(name), state)) }
}

func removed(name string) func(pair) {
	return func(p pair) { p.must(p.engine.Remove(context.Background(), p.id(name))) }
}

// stateCase is a state of a finished cluster, and what becomes of it.
type stateCase struct {
	disturb func(pair)
	status  []string // is said by a status
	anew    bool     // up makes the cluster anew, else it keeps what is there
	fails   []string // up fails with these
	says    []string // up says so
}

func stateCases() map[string]stateCase {
	return map[string]stateCase{
		"control plane paused":  {disturb: in(plane, engine.Paused), status: []string{"does not run: x-control-plane (paused)", "x-control-plane: paused; env:up thaws it"}},
		"worker paused":         {disturb: in(worker, engine.Paused), status: []string{"x-worker: paused, v1.37.2; env:up thaws it"}},
		"control plane stopped": {disturb: in(plane, engine.Exited), status: []string{"x-control-plane: exited (0, ", " seconds ago); env:up starts it again"}},
		"worker stopped":        {disturb: in(worker, engine.Exited), status: []string{"x-worker: exited (0, ", "env:up starts it again"}},
		"worker killed": {
			disturb: func(p pair) { p.must(p.engine.Kill(context.Background(), p.id(worker))) },
			status:  []string{"x-worker: exited (137, ", "env:up starts it again"},
		},
		"control plane out of memory": {
			disturb: func(p pair) { p.must(p.engine.OutOfMemory(p.id(plane))) },
			status:  []string{"x-control-plane: exited (137, out of memory, ", "env:up starts it again"},
		},
		"everything stopped": {
			disturb: func(p pair) { in(plane, engine.Exited)(p); in(worker, engine.Exited)(p) },
			status:  []string{"x-control-plane: exited", "x-worker: exited"},
		},
		"worker restarting":      {disturb: in(worker, engine.Restarting), status: []string{"x-worker: restarting", "the engine starts it again"}},
		"worker never started":   {disturb: in(worker, engine.Created), status: []string{"x-worker: created", "it never ran; env:up starts it"}},
		"control plane dead":     {disturb: in(plane, engine.Dead), anew: true, status: []string{"half-deleted", "no control plane among x-worker (running)", "env:up makes it anew, env:down removes it"}, says: []string{"Ending the removal of x-control-plane (dead)", "half-created (there is no control plane among x-worker"}},
		"control plane removing": {disturb: in(plane, engine.Removing), anew: true, status: []string{"half-deleted", "env:up makes it anew"}},
		"control plane gone":     {disturb: removed(plane), anew: true, status: []string{"half-deleted", "env:up makes it anew"}, says: []string{"no control plane among x-worker (running)"}},
		"everything dead": {
			disturb: func(p pair) { in(plane, engine.Dead)(p); in(worker, engine.Dead)(p) }, anew: true,
			status: []string{"x-worker: dead", "half-deleted: env:up makes it anew"},
		},
		"worker dead":     {disturb: in(worker, engine.Dead), status: []string{"x-worker: dead", "env:up tries that again"}, fails: lostWorker()},
		"worker removing": {disturb: in(worker, engine.Removing), status: []string{"x-worker: removing", "env:up waits for that"}, fails: lostWorker()},
		"worker gone":     {disturb: removed(worker), status: lostWorker(), fails: lostWorker()},
		"Node of the worker gone": {
			disturb: func(p pair) {
				p.know(plane)
				p.kind.OnRejoin = func(node string) { p.know(plane, node) }
			},
			status: []string{"x-worker: running; Kubernetes does not know it; env:up has it join again"},
			says:   []string{"Having nodes join again"},
		},
		"Node of a stopped worker gone": {
			disturb: func(p pair) {
				in(worker, engine.Exited)(p)
				p.know(plane)
				p.kind.OnRejoin = func(node string) { p.know(plane, node) }
			},
			status: []string{"x-worker: exited"},
		},
		"a node that never joined": {
			disturb: func(p pair) { p.kind.PutNamed("x-worker2", "x", kind.RoleWorker, nodeImage) },
			status:  []string{"x-worker2: running; Kubernetes does not know it"},
			fails:   []string{`"x-worker2" is no node of Kubernetes and never was`, "docker rm -f x-worker2", "env:down"},
		},
		"a container with the label alone": {
			disturb: func(p pair) {
				p.engine.Put(engine.Container{Name: "foreign", Labels: map[string]string{kind.LabelCluster: "x"}})
			},
			status: []string{"foreign (running): labelled io.x-k8s.kind.cluster=x, but no node of kind's"},
			says:   []string{"foreign (running)", "env:down"},
		},
	}
}

func lostWorker() []string {
	return []string{"lost the container of node x-worker", "env:down and env:up", "kubectl --context kind-x delete node x-worker"}
}

func TestUpOnEveryState(t *testing.T) {
	t.Parallel()
	for name, c := range stateCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newPair(t)
				c.disturb(p)
				wantText(t, p.status().String(), c.status...)
				before := p.nodes()
				err := p.environment().Up(t.Context())
				if len(c.fails) > 0 {
					wantError(t, err, c.fails...)
				} else if err != nil {
					t.Errorf("Up: %v\n%s", err, p.out)
				}
				wantText(t, p.out.String(), c.says...)
				p.wantKept(before, !c.anew)
				if len(c.fails) == 0 {
					p.wantRunning()
				}
				p.must(p.environment().Down(t.Context()))
				if left, err := p.engine.List(t.Context(), nil); err != nil || len(left) > 0 {
					t.Errorf("there is left: %v (%v)", left, err)
				}
			})
		})
	}
}

// wantKept checks that the nodes before are there now, but for those whose
// removal had begun, or that none of them is.
func (p pair) wantKept(before []engine.Container, want bool) {
	p.t.Helper()
	now := map[string]bool{}
	for _, node := range p.nodes() {
		now[node.ID] = true
	}
	for _, node := range before {
		going := node.State == engine.Dead || node.State == engine.Removing
		if got := now[node.ID]; got != (want && !going) {
			p.t.Errorf("node %s (%s) is kept: %v", node.Name, node.State, got)
		}
	}
}

func (p pair) wantRunning() {
	p.t.Helper()
	for _, node := range p.nodes() {
		if node.State != engine.Running && node.State != engine.Restarting {
			p.t.Errorf("node %s is %s", node.Name, node.State)
		}
	}
}
