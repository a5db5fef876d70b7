//go:build integration

package kindenv_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/templates"
)

// TestRealNodesInEveryState goes from what an interrupted creation leaves, over
// all that can happen to the nodes of a finished cluster, to what a removal
// leaves that was cut off. Each part leads into the next: clusters take time.
// States that can't be provoked (dead, removing, restarting) are the fake's.
func TestRealNodesInEveryState(t *testing.T) {
	r := realPair{newReal(t, func(cfg *kindenv.Config) { cfg.Cluster = templates.Cluster{Workers: 1} })}
	for _, part := range []struct {
		name string
		run  func(t *testing.T)
	}{
		{"a control plane that never ran", r.neverRan},
		{"control planes without admin.conf", r.withoutAdmin},
		{"paused", r.paused},
		{"stopped and killed", r.stopped},
		{"renamed", r.renamed},
		{"admin.conf gone", r.lostAdmin("rm /etc/kubernetes/admin.conf", false)},
		{"admin.conf truncated, and nothing remembered", r.lostAdmin("echo apiVersion: v1 > /etc/kubernetes/admin.conf", true)},
		{"a node that Kubernetes has lost", r.lostNode},
		{"containers that are no nodes", r.strangers},
		{"a worker gone", r.workerGone},
		{"its control plane gone too", r.onlyTheCloudProvider},
		{"only files", r.onlyFiles},
	} {
		if !t.Run(part.name, part.run) {
			t.FailNow() // the next relies on it
		}
	}
}

func (r realPair) neverRan(t *testing.T) {
	r.docker(t, append([]string{"create"}, r.labelled(r.plane(), kind.RoleControlPlane)...)...)
	r.wantStatus(t, r.plane()+": created", "node "+r.plane()+" was never started; env:up makes it anew")
	r.wantNothing(t)
}

func (r realPair) withoutAdmin(t *testing.T) {
	r.docker(t, append([]string{"run", "-d"}, r.labelled(r.plane(), kind.RoleControlPlane)...)...)
	r.docker(t, append([]string{"create"}, r.labelled(r.worker(), kind.RoleWorker)...)...)
	r.wantStatus(t, r.worker()+": created", "half-created: kubeadm has not finished in node "+r.plane())
	before := r.nodes(t)
	r.up(t)
	wantText(t, r.out.String(), "half-created (kubeadm has not finished in its control plane)")
	for _, id := range r.nodes(t) {
		if slices.Contains(before, id) {
			t.Errorf("%s is still there", id)
		}
	}
	r.wantStatus(t, r.plane()+": running, Ready", r.worker()+": running, Ready")
}

func (r realPair) paused(t *testing.T) {
	names := []string{"pause", r.plane(), r.worker()}
	if r.hasProvider() {
		names = append(names, r.Name()+"-cloud-provider")
	}
	all := r.ids(t)
	r.docker(t, names...)
	r.wantStatus(t, "does not run: "+r.plane()+" (paused)", r.worker()+": paused; env:up thaws it")
	r.repairs(t, "Starting nodes")
	if now := r.ids(t); !slices.Equal(now, all) {
		t.Errorf("containers are %v, were %v", now, all)
	}
	if r.hasProvider() {
		r.docker(t, "pause", r.Name()+"-cloud-provider")
		r.wantStatus(t, "the cloud provider is paused: env:up thaws it")
		r.repairs(t)
	}
}

func (r realPair) stopped(t *testing.T) {
	r.docker(t, "kill", r.worker())
	r.docker(t, "stop", "-t", "20", r.plane())
	r.wantStatus(t, r.worker()+": exited (137, ", r.plane()+": exited (", "env:up starts it again")
	r.repairs(t, "Starting nodes")
}

func (r realPair) renamed(t *testing.T) {
	r.docker(t, "rename", r.worker(), r.Name()+"-renamed")
	defer r.docker(t, "rename", r.Name()+"-renamed", r.worker())
	r.wantStatus(t, r.Name()+"-renamed: running, Ready", "was renamed: Kubernetes and the other nodes know it as "+r.worker())
	r.repairs(t)
}

// lostAdmin damages admin.conf by a script, and removes the environment's own copy.
func (r realPair) lostAdmin(script string, forget bool) func(t *testing.T) {
	return func(t *testing.T) {
		r.docker(t, "exec", r.plane(), "sh", "-c", script)
		gone := r.Kubeconfig()
		if forget {
			gone = filepath.Dir(gone)
		}
		if err := os.RemoveAll(gone); err != nil {
			t.Fatal(err)
		}
		r.wantStatus(t, "node "+r.plane()+" has lost /etc/kubernetes/admin.conf; env:up makes it again")
		r.repairs(t, "has lost /etc/kubernetes/admin.conf: making it again")
	}
}

func (r realPair) lostNode(t *testing.T) {
	r.docker(t, "exec", r.plane(), "kubectl", "--kubeconfig=/etc/kubernetes/admin.conf", "delete", "node", r.worker())
	r.wantStatus(t, r.worker()+": running; Kubernetes does not know it; env:up has it join again")
	r.repairs(t, "Having nodes join again")
}

func (r realPair) strangers(t *testing.T) {
	foreign, never := r.Name()+"-foreign", r.Name()+"-worker2"
	r.docker(t, append([]string{"run", "-d"}, r.labelled(foreign, "")...)...)
	r.wantStatus(t, foreign+" (running): labelled", "no node of kind's")
	r.repairs(t, foreign+" (running)")
	r.docker(t, "rm", "-f", foreign)
	r.docker(t, append([]string{"create"}, r.labelled(never, kind.RoleWorker)...)...)
	r.wantStatus(t, never+": created; it never ran; env:up starts it")
	wantError(t, r.Up(t.Context()), fmt.Sprintf("%q is no node of Kubernetes and never was", never), "docker rm -f "+never)
	r.docker(t, "rm", "-f", never)
	r.repairs(t)
}

func (r realPair) workerGone(t *testing.T) {
	r.docker(t, "rm", "-f", "-v", r.worker())
	lost := []string{"lost the container of node " + r.worker(), "env:down and env:up", "delete node " + r.worker()}
	r.wantStatus(t, lost...)
	wantError(t, r.Up(t.Context()), lost...)
	if now := r.nodes(t); len(now) != 1 {
		t.Errorf("nodes are %v, want the control plane kept", now)
	}
}

func (r realPair) onlyTheCloudProvider(t *testing.T) {
	r.docker(t, "rm", "-f", "-v", r.plane())
	if r.hasProvider() {
		r.wantStatus(t, "absent", "the cloud provider is there without its cluster: env:down removes it")
		r.docker(t, "rm", "-f", "-v", r.Name()+"-cloud-provider")
	}
}

func (r realPair) onlyFiles(t *testing.T) {
	r.wantStatus(t, "absent", "a kubeconfig is of a cluster that is gone: env:down removes what is left")
	r.wantNothing(t)
}
