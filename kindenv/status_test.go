package kindenv_test

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

func (w *world) status() kindenv.Status {
	w.t.Helper()
	status, err := w.environment().Status(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return status
}

func wantText(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("there is no %q in\n%s", part, text)
		}
	}
}

func TestStatusOfNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		status := newWorld(t).status()
		if status.Exists || status.Merged || status.Kubeconfig != "" || len(status.Nodes) > 0 {
			t.Errorf("Status = %+v, want nothing", status)
		}
		wantText(t, status.String(), `Environment "x"`, "docker 28.0 at "+host, "absent")
	})
}

func TestStatusOfAReadyEnvironment(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.up(w.environment())
		w.api.Answer(kindtest.PathServices, kindtest.List(kindtest.Balancer("default", "hello", "172.18.0.9")))
		w.provider.balancers = []cloudprovider.LoadBalancer{
			{Kind: "Service", Namespace: "default", Name: "hello", State: engine.Running, Addresses: []netip.Addr{netip.MustParseAddr("172.18.0.9")}},
			{Kind: "Gateway", Namespace: "web", Name: "gw", State: engine.Exited},
		}
		status := w.status()
		if !status.Exists || !status.Serves || !status.Merged || status.API != "ready" || status.Kubernetes != "v1.37.2" {
			t.Errorf("Status = %+v, want one of a ready environment", status)
		}
		want := kindenv.Node{Name: "x-control-plane", Role: kind.RoleControlPlane, State: engine.Running, Ready: true, Version: "v1.37.2"}
		if len(status.Nodes) != 1 || status.Nodes[0] != want {
			t.Errorf("Nodes = %+v, want %+v", status.Nodes, want)
		}
		wantText(t, status.String(), "running since today, serves the cluster", "Service default/hello: 172.18.0.9:80 (TCP)", "Gateway web/gw: no address, container exited")
	})
}

func TestStatusTellsWhatIsWrong(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.up(w.environment())
		w.api.Answer(kindtest.PathNodes, kindtest.List(kindtest.Node("x-control-plane", false)))
		wantText(t, w.status().String(), "not ready: ", "cni plugin not initialized")
		w.api.Answer(kindtest.PathReady, kindtest.Broken)
		wantText(t, w.status().String(), "etcd is on fire")
		if err := w.engine.SetState(w.nodes()[0].ID, engine.Exited); err != nil {
			t.Fatal(err)
		}
		wantText(t, w.status().String(), "x-control-plane: exited")

		w.engine.Fail("List", 0, errors.New("gone"))
		_, err := w.environment().Status(t.Context())
		wantError(t, err, "gone")
	})
}

func TestStatusSaysWhatIsWrongLast(t *testing.T) {
	t.Parallel()
	for _, exists := range []bool{false, true} {
		status := kindenv.Status{Name: "x", Exists: exists, CloudProvider: "absent", Warnings: []string{"first", "second"}}
		if got, want := status.String(), "\n  warning         first\n  warning         second"; !strings.HasSuffix(got, want) {
			t.Errorf("String = %q, want %q at its end", got, want)
		}
	}
}

func TestStatusOfAnInterruptedRemoval(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		remember(t, p.world, map[string]any{"removing": true, "control": p.id(plane)})
		wantText(t, p.status().String(), "half-deleted: an env:down was interrupted; env:up makes it anew, env:down removes it")
	})
}

func TestStatusOfAClusterWithoutKubeconfig(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
		wantText(t, w.status().String(), "no kubeconfig", "env:up")
		if got := w.called(""); got > 0 {
			t.Errorf("kind was asked: %q", w.kind.Calls())
		}
	})
}

func TestLogsFollowsEverySource(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.engine.Script(func(engine.Spec) enginetest.Behaviour {
			return enginetest.Behaviour{OnExec: func([]string) (string, int) { return "12\nkubelet is up\n", 0 }}
		})
		w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
		say := func(name, line string, labels map[string]string) {
			if err := w.engine.AppendLog(w.engine.Put(engine.Container{Name: name, Labels: labels}), line); err != nil {
				t.Fatal(err)
			}
		}
		say("x-cloud-provider", "serving", map[string]string{cloudprovider.LabelOwner: "x", cloudprovider.LabelRole: cloudprovider.RoleController})
		say("kindccm-other", "not ours", map[string]string{cloudprovider.LabelCluster: "other"})
		out := &output{}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- w.environment().Logs(ctx, out) }()
		wait := func(part string) {
			for !strings.Contains(out.String(), part) {
				select {
				case err := <-ended:
					t.Fatalf("Logs has ended: %v\n%s", err, out)
				case <-time.After(time.Millisecond):
				}
			}
		}
		wait("serving")
		wait("kubelet is up")
		say("kindccm-1", "proxying", map[string]string{
			cloudprovider.LabelCluster: "x", cloudprovider.LabelLoadBalancer: "x/default/hello",
		})
		wait("proxying")
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Logs = %v", err)
		}
		wantText(t, out.String(), "cloud-provider", "default/hello", "control-plane")
		if strings.Contains(out.String(), "not ours") {
			t.Errorf("another cluster's log is shown:\n%s", out)
		}
		for _, call := range w.engine.Calls() {
			if strings.HasPrefix(call, "Stop") || strings.HasPrefix(call, "Kill") {
				t.Errorf("the engine was asked to %s", call)
			}
		}
	})
}

func TestLogsOfNothingSaysWhy(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		logged, ended := &output{}, make(chan error, 1)
		go func() { ended <- w.environment().Logs(ctx, logged) }()
		for w.out.String() == "" && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel()
		if err := <-ended; err != nil || logged.String() != "" {
			t.Errorf("Logs = %v and wrote %q, want neither", err, logged)
		}
		wantText(t, w.out.String(), `"x"`, "env:up")
	})
}

func TestLogsOfAnEngineThatStreamsNone(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.World.Engine = w.engine.WithoutCapabilities()
		if err := w.environment().Logs(t.Context(), &output{}); !errors.Is(err, engine.ErrUnsupported) {
			t.Errorf("Logs = %v, want %v", err, engine.ErrUnsupported)
		}
	})
}

func TestUpOnAnEngineWithoutCapabilities(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.World.Engine = w.engine.WithoutCapabilities()
		w.up(w.environment())
		if !w.provider.running {
			t.Error("the cloud provider does not run")
		}
	})
}

func TestLoadBalancers(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.provider.balancers = []cloudprovider.LoadBalancer{{Name: "hello"}}
		got, err := w.environment().LoadBalancers(t.Context())
		if err != nil || len(got) != 1 || got[0].Name != "hello" {
			t.Errorf("LoadBalancers = %v, %v; want hello", got, err)
		}
	})
}
