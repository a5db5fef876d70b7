package kindenv_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

var errFault = errors.New("injected")

// effect is a kind of fault.
type effect struct {
	set      func(faults *enginetest.Faults, n int, cancel func())
	survives bool // whoever waits gets through
	waits    bool // for minutes
	main     bool // always tried
}

func effects() map[string]effect {
	return map[string]effect{
		"fails":              {main: true, set: func(f *enginetest.Faults, n int, _ func()) { f.Fail("", n, errFault) }},
		"fails from then on": {main: true, set: func(f *enginetest.Faults, n int, _ func()) { f.FailFrom("", n, errFault) }},
		"loses the reply":    {set: func(f *enginetest.Faults, n int, _ func()) { f.Lose("", n, errFault) }},
		"is slow":            {set: func(f *enginetest.Faults, n int, _ func()) { f.Delay("", n, slowReply) }, survives: true},
		"hangs": {waits: true, set: func(f *enginetest.Faults, n int, cancel func()) {
			f.Do("", n, func() { time.AfterFunc(patience, cancel) })
			f.Hang("", n)
		}},
		"is cancelled": {set: func(f *enginetest.Faults, n int, cancel func()) { f.Do("", n, cancel) }},
		"is cancelled while it works": {main: true, set: func(f *enginetest.Faults, n int, cancel func()) {
			f.Do("", n, func() { time.AfterFunc(0, cancel) })
			f.Lose("", n, context.Canceled)
		}},
	}
}

// scenario is a command on what is there before it.
type scenario struct {
	prepare func(e *estate)
	do      command
	down    bool // do is Down
	change  func(*kindenv.Config)
	nodes   []string // roles; none: a control plane
	main    bool     // always tried
}

func scenarios() map[string]scenario {
	up, down := (*kindenv.Environment).Up, (*kindenv.Environment).Down
	start := func(e *estate) { e.must("x", up) }
	return map[string]scenario{
		"up from nothing": {do: up, main: true},
		"up with everything": {
			do: up, nodes: []string{kind.RoleControlPlane, kind.RoleWorker},
			prepare: func(e *estate) {
				for _, image := range []string{nodeImage, providerImage, proxyImage} {
					e.engine.RemoveImage(image)
				}
			},
			change: func(cfg *kindenv.Config) {
				cfg.Cluster.Workers, cfg.Images, cfg.Manifests = 1, []string{app}, []string{"manifest.yaml"}
			},
		},
		"up again":                 {do: up, prepare: start},
		"up on a half-created one": {do: up, prepare: (*estate).leaveHalf},
		"up after a killed up":     {do: up, prepare: (*estate).leaveKilled},
		"up on stopped nodes":      {do: up, prepare: func(e *estate) { start(e); e.setState("x-control-plane", engine.Exited) }},
		"up on paused nodes":       {do: up, prepare: func(e *estate) { start(e); e.setState("x-control-plane", engine.Paused) }},
		"up with an outdated controller": {do: up, prepare: func(e *estate) {
			e.must("x", up, func(cfg *kindenv.Config) { cfg.CloudProvider.GatewayChannel = "experimental" })
		}},
		"up with a crashed controller": {do: up, prepare: func(e *estate) { start(e); e.setState("x-cloud-provider", engine.Exited) }},
		"down":                         {do: down, down: true, prepare: start, main: true},
		"down of a half-created one":   {do: down, down: true, prepare: (*estate).leaveKilled},
		"down of workers": {
			do: down, down: true, nodes: []string{kind.RoleControlPlane, kind.RoleWorker},
			prepare: func(e *estate) { e.must("x", up, workers) }, change: workers,
		},
	}
}

func workers(cfg *kindenv.Config) { cfg.Cluster.Workers = 1 }

// leaveHalf leaves a cluster that kubeadm had not set up when its creation ended.
func (e *estate) leaveHalf() { e.tenants["x"].kind.PutNode("x", kind.RoleControlPlane, nodeImage) }

// leaveKilled leaves what a killed Up does while kind works: nodes, a cloud
// provider just made and a question to one, and a memory of it all.
func (e *estate) leaveKilled() {
	e.t.Helper()
	e.leaveHalf()
	for role, name := range map[string]string{
		cloudprovider.RoleController: "x-cloud-provider", "cloud-provider-list-images": "x-cloud-provider-list-images-killed",
	} {
		e.engine.Put(engine.Container{
			Name: name, Image: providerImage, State: engine.Created,
			Labels: map[string]string{cloudprovider.LabelOwner: "x", cloudprovider.LabelRole: role},
		})
	}
	var path string
	e.must("x", func(env *kindenv.Environment, ctx context.Context) error {
		_, err := env.Status(ctx) // finds the engine
		path = env.MemoryFile()
		return err
	})
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		e.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"creating": true}`), 0o600); err != nil {
		e.t.Fatal(err)
	}
}

func (e *estate) setState(name string, state engine.State) {
	e.t.Helper()
	if err := e.engine.SetState(name, state); err != nil {
		e.t.Fatal(err)
	}
}

// namesTheStep returns an error unless failure says more than that call failed:
// what it was for. kind's driver says that by itself.
func namesTheStep(failure error, call string) error {
	method, argument, _ := strings.Cut(call, " ")
	if strings.HasPrefix(method, "kind.") {
		return nil
	}
	first, _, _ := strings.Cut(failure.Error(), "\n")
	for _, bare := range []string{errFault.Error(), context.Canceled.Error(), context.DeadlineExceeded.Error()} {
		if first == bare || strings.HasPrefix(first, method+" "+argument) {
			return fmt.Errorf("the error does not name the step: %w", failure)
		}
	}
	return nil
}
