package kindenv_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

// bounce does to the nodes what an engine does that restarts: they run again,
// with a run that ended before.
func (w *world) bounce() {
	w.t.Helper()
	time.Sleep(time.Second) // so that the runs differ in when they began
	for _, node := range w.nodes() {
		if err := w.engine.Kill(w.t.Context(), node.ID); err != nil {
			w.t.Fatal(err)
		}
		if err := w.engine.Start(w.t.Context(), node.ID); err != nil {
			w.t.Fatal(err)
		}
	}
}

func shortTimeout(cfg *kindenv.Config) { cfg.Timeout = time.Second }

// waits checks that Up goes on asking for a path, and ends it.
func (w *world) waits(path string) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(w.t.Context())
	defer cancel()
	before := len(w.api.Asked())
	ended := make(chan error, 1)
	go func() { ended <- w.environment().Up(ctx) }()
	for asked := 0; asked < 3; {
		select {
		case err := <-ended:
			w.t.Fatalf("Up did not wait for %s: %v", path, err)
		case <-time.After(time.Millisecond):
		}
		asked = 0
		for _, request := range w.api.Asked()[before:] {
			if request == "GET "+path {
				asked++
			}
		}
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		w.t.Errorf("Up = %v, want %v", err, context.Canceled)
	}
}

// TestUpAfterARestartOfTheEngine does not take Kubernetes' word, which is from
// before, for what the nodes are now.
func TestUpAfterARestartOfTheEngine(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.up(w.environment())
		w.bounce()
		const lease = kindtest.PathLeases + "x-control-plane"
		w.api.Answer(lease, `{"spec":{"renewTime":"1999-01-01T00:00:00.000000Z"}}`)
		w.waits(lease)
		w.api.Answer(lease, `{"spec":{"renewTime":"2199-01-01T00:00:00.000000Z"}}`)
		w.up(w.environment())
		// once it was ready, whatever the node's pods do is no reason to wait
		w.api.Answer(lease, "")
		w.up(w.environment())
		w.bounce()
		w.waits(lease)
	})
}

// planes makes a cluster with three control planes, which was ready once.
func planes(t *testing.T, w *world) {
	t.Helper()
	var nodes []string
	for _, name := range []string{"x-control-plane", "x-control-plane2", "x-control-plane3"} {
		w.kind.SetUp(w.kind.PutNamed(name, "x", kind.RoleControlPlane, nodeImage))
		nodes = append(nodes, kindtest.Node(name, true))
		w.api.Answer(kindtest.PathLeases+name, `{"spec":{"renewTime":"2199-01-01T00:00:00.000000Z"}}`)
	}
	w.api.Answer(kindtest.PathNodes, kindtest.List(nodes...))
	w.place(map[string]string{"x-control-plane": "172.18.0.3", "x-control-plane2": "172.18.0.2", "x-control-plane3": "172.18.0.4"})
	w.up(w.environment())
}

// place gives running nodes addresses.
func (w *world) place(addresses map[string]string) {
	w.t.Helper()
	for name, address := range addresses {
		if err := w.engine.SetAddress(name, "kind", address); err != nil {
			w.t.Fatal(err)
		}
	}
}

// TestMovedControlPlanes are explained: nobody can mend an etcd whose members'
// addresses have changed.
func TestMovedControlPlanes(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		planes(t, w)
		w.api.Answer(kindtest.PathReady, kindtest.Broken)
		err := w.environment(shortTimeout).Up(t.Context())
		if wantError(t, err, "etcd is on fire"); strings.Contains(err.Error(), "addresses") {
			t.Errorf("got %v, want nothing of addresses, which are the same", err)
		}
		w.place(map[string]string{"x-control-plane": "172.18.0.2", "x-control-plane2": "172.18.0.3"})
		wantError(t, w.environment(shortTimeout).Up(t.Context()), "etcd is on fire",
			"x-control-plane from 172.18.0.3 to 172.18.0.2", "x-control-plane2 from 172.18.0.2 to 172.18.0.3", "env:down")
	})
}

// TestControlPlanesStartInTurn, by the addresses that they had, so that they get them again.
func TestControlPlanesStartInTurn(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		planes(t, w)
		for _, node := range w.nodes() {
			if err := w.engine.SetState(node.ID, engine.Exited); err != nil {
				t.Fatal(err)
			}
		}
		before := len(w.engine.Calls())
		w.up(w.environment())
		var started []string
		for _, call := range w.engine.Calls()[before:] {
			if name, ok := strings.CutPrefix(call, "Start x-control-plane"); ok {
				started = append(started, name)
			}
		}
		if got := strings.Join(started, ","); got != "2,,3" {
			t.Errorf("started control planes %q, want the second, which had the lowest address, the first and the third", got)
		}
	})
}
