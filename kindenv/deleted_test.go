package kindenv_test

import (
	"os"
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

func TestWhatIsLeftOfADeletedCluster(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		leave  func(p pair)
		status string
	}{
		"the worker":         {removed(plane), "half-deleted"},
		"the cloud provider": {func(p pair) { removed(plane)(p); removed(worker)(p) }, "the cloud provider is there without its cluster: env:down removes it"},
		"load balancers": {func(p pair) {
			removed(plane)(p)
			removed(worker)(p)
			p.provider.running = false
			p.provider.balancers = []cloudprovider.LoadBalancer{{Kind: "Service", Namespace: "default", Name: "hello", State: engine.Running}}
		}, "load balancers are of a cluster that is gone: env:down removes what is left, env:up makes the cluster anew"},
		"files": {func(p pair) {
			removed(plane)(p)
			removed(worker)(p)
			p.provider.running = false
		}, "a kubeconfig is of a cluster that is gone: env:down removes what is left"},
	}
	for name, tt := range tests {
		for _, next := range []string{"up", "down"} {
			t.Run(name+", then "+next, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					p := newPair(t)
					tt.leave(p)
					wantText(t, p.status().String(), tt.status)
					if next == "up" {
						p.must(p.environment().Up(t.Context()))
						if got := p.status(); len(p.nodes()) != 2 || got.API != "ready" || len(got.Warnings) > 0 {
							t.Errorf("nodes are %v, status\n%s", p.nodes(), got)
						}
					}
					p.must(p.environment().Down(t.Context()))
					if left, err := p.engine.List(t.Context(), nil); err != nil || len(left) > 0 {
						t.Errorf("there is left: %v (%v)", left, err)
					}
					if _, err := os.Stat(p.environment().Kubeconfig()); !os.IsNotExist(err) {
						t.Errorf("the kubeconfig is left (%v)", err)
					}
				})
			})
		}
	}
}

func TestUpNamesAStrangerInTheWay(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.engine.Put(engine.Container{Name: "foreign", Labels: map[string]string{kind.LabelCluster: "x"}})
		wantText(t, w.status().String(), "absent", "foreign (running): labelled")
		wantError(t, w.environment().Up(t.Context()), "foreign (running)", "kind can't make the cluster while this is there")
		half := w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
		wantError(t, w.environment().Up(t.Context()), "foreign (running)")
		for _, kept := range []string{id, half} {
			if _, there := w.engine.Spec(kept); !there {
				t.Errorf("%s is gone", kept)
			}
		}
		if err := w.environment().Down(t.Context()); err != nil || len(w.nodes()) > 0 {
			t.Errorf("Down = %v and leaves %v", err, w.nodes())
		}
	})
}

func TestUpDoesNotWaitForANodeThatFalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		in(plane, engine.Exited)(p)
		code := 3
		p.engine.Script(func(engine.Spec) enginetest.Behaviour { return enginetest.Behaviour{Exit: &code} })
		p.api.Answer(kindtest.PathReady, kindtest.Broken)
		wantError(t, p.environment().Up(t.Context()), `node "x-control-plane" does not stay up, it is exited (3, `, "docker logs x-control-plane", "etcd is on fire")
		p.wantKept(p.nodes(), true)
	})
}

func TestUpDoesNotWaitForANodeThatIsRemovedMeanwhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		p.api.Answer(kindtest.PathNodes, kindtest.List(kindtest.Node(plane, true), kindtest.Node(worker, false)))
		before := p.asked(kindtest.PathNodes)
		ended := make(chan error, 1)
		go func() { ended <- p.environment().Up(t.Context()) }()
		for p.asked(kindtest.PathNodes) < before+3 { // once to compare, and then again and again
			time.Sleep(time.Millisecond)
		}
		removed(worker)(p)
		wantError(t, <-ended, `node "x-worker" was removed meanwhile`)
	})
}

func TestUpNamesTheRenamedNode(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		p.must(p.engine.Remove(t.Context(), p.id(worker)))
		p.engine.Put(engine.Container{
			Name: "renamed", Hostname: worker, State: engine.Exited, CreatedAt: time.Now().Add(-time.Hour),
			Labels: map[string]string{kind.LabelCluster: "x", kind.LabelRole: kind.RoleWorker},
		})
		wantText(t, p.status().String(), "renamed: exited", "env:up starts it again; was renamed: Kubernetes and the other nodes know it as x-worker")
		p.must(p.environment().Up(t.Context()))
		wantText(t, p.status().String(), "renamed: running, Ready, v1.37.2; was renamed")
	})
}

func TestUpLeavesNodesAloneThatNeedNoContainer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		p.know("kwok-node-0", plane, worker, "x-worker-of-another-kind")
		p.must(p.environment().Up(t.Context()))
		if got := p.status(); len(got.Warnings) > 0 {
			t.Errorf("warnings are %q", got.Warnings)
		}
	})
}

func TestUpSaysThatNodesAreFewerThanConfigured(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		removed(worker)(p)
		p.know(plane) // as the error of up says: kubectl delete node
		p.must(p.environment().Up(t.Context()))
		wantText(t, p.out.String(), "has 1 of the 2 nodes that it was made with")
	})
}

func TestUpWithoutAMajorityOfControlPlanes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ gone, said string }{
		"the second": {"x-control-plane2", "control plane x-control-plane2 is gone, and what is left is no majority"},
		"the first":  {"x-control-plane", "control plane x-control-plane is gone, and what is left is no majority"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newPlanes(t, 2)
				removed(tt.gone)(p)
				p.api.Answer(kindtest.PathReady, kindtest.Broken)
				wantText(t, p.status().String(), tt.said, "env:down and env:up")
				before := p.nodes()
				env := p.world.environment(func(cfg *kindenv.Config) { cfg.Timeout = 100 * time.Millisecond })
				wantError(t, env.Up(t.Context()), tt.said, "kept", "env:down and env:up")
				p.wantKept(before, true)
				p.must(p.environment().Down(t.Context()))
			})
		})
	}
}

func TestUpWithAMajorityOfControlPlanes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlanes(t, 3)
		removed("x-control-plane2")(p)
		wantError(t, p.environment().Up(t.Context()), "lost the container of node x-control-plane2", "delete node x-control-plane2")
	})
}

// newPlanes is a world with a finished cluster of several control planes and kind's load balancer before them.
func newPlanes(t *testing.T, n int) pair {
	t.Helper()
	p := pair{newWorld(t)}
	names := []string{plane, "x-control-plane2", "x-control-plane3"}[:n]
	for _, name := range names {
		p.kind.Roles = append(p.kind.Roles, kind.RoleControlPlane)
		p.api.Answer(kindtest.PathLeases+name, kindtest.Renewed)
	}
	p.kind.Roles = append(p.kind.Roles, kind.RoleLoadBalancer)
	p.know(names...)
	p.up(p.world.environment())
	return p
}
