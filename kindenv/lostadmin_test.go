package kindenv_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

func TestUpRestoresTheAdministratorsKubeconfig(t *testing.T) {
	t.Parallel()
	unattached := errors.New("it can't read its kubeconfig")
	tests := map[string]struct {
		content string       // of admin.conf, instead
		change  func(p pair) // beside
	}{
		"gone":                  {change: forgetfully},
		"truncated":             {content: "apiVersion: v1\n", change: forgetfully},
		"gone, by kind by hand": {change: func(p pair) { forgetfully(p); p.must(os.Remove(p.environment().MemoryFile())) }},
		"gone, and the cloud provider wants it": {change: func(p pair) {
			p.provider.attached = unattached
			p.provider.onStart = func(context.Context) error {
				if p.adminConf() {
					p.provider.attached = nil
				}
				return nil
			}
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newPair(t)
				before := p.nodes()
				p.kind.LoseAdmin(p.id(plane), tt.content)
				tt.change(p)
				wantText(t, p.status().String(), "x-control-plane has lost /etc/kubernetes/admin.conf; env:up makes it again")
				p.must(p.environment().Up(t.Context()))
				p.wantKept(before, true)
				wantText(t, p.out.String(), "has lost /etc/kubernetes/admin.conf: making it again")
				if !p.adminConf() {
					t.Error("admin.conf is not there")
				}
				if got := p.status().String(); strings.Contains(got, "admin.conf") {
					t.Errorf("the status still says so:\n%s", got)
				}
			})
		})
	}
}

// forgetfully removes the environment's own kubeconfig.
func forgetfully(p pair) { p.must(os.Remove(p.environment().Kubeconfig())) }

func (p pair) adminConf() bool {
	out, code := p.kind.Exec(plane, []string{"cat", "/etc/kubernetes/admin.conf"})
	return code == 0 && strings.Contains(out, p.api.URL)
}

func TestUpKeepsAFinishedClusterThatWasReset(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		before := p.nodes()
		p.kind.Reset(p.id(plane))
		forgetfully(p)
		wantText(t, p.status().String(), "x-control-plane has lost its Kubernetes")
		wantError(t, p.environment().Up(t.Context()), `cluster "x" is kept`, "env:down")
		p.wantKept(before, true)
	})
}

func TestStatusOfAnUnfinishedControlPlane(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
		wantText(t, w.status().String(), "half-created: kubeadm has not finished in node x-control-plane; env:up makes it anew")
	})
}

func TestStatusOfAnInterruptedCreation(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		rememberCreating(t, w)
		w.kind.SetUp(w.kind.PutNode("x", kind.RoleControlPlane, nodeImage))
		if err := w.engine.SetState(w.kind.PutNode("x", kind.RoleWorker, nodeImage), engine.Created); err != nil {
			t.Fatal(err)
		}
		wantText(t, w.status().String(), "node x-worker was never started; env:up makes it anew, env:down removes it")
		w.up(w.environment())
		wantText(t, w.out.String(), "half-created (node x-worker was never started)")
	})
}
