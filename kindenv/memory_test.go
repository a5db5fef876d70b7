package kindenv_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kind"
)

// wantKeptByHand puts a cluster on the engine as kind makes it by hand, whose
// API server does not answer kubectl, and wants Up to keep it.
func wantKeptByHand(t *testing.T, w *world) {
	t.Helper()
	id := w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
	w.kind.SetUp(id)
	w.kind.OnKubectl = func([]string, string) (string, error) { return "", errors.New("timed out") }
	w.up(w.environment())
	if got := w.nodes(); len(got) != 1 || got[0].ID != id {
		t.Errorf("nodes are %v, want %s kept: it was not made by the creation that failed", got, id)
	}
}

func TestUpKeepsAClusterMadeByHandAfterACreationThatFailed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.kind.Creating = func(context.Context, kind.CreateSpec) error { return errors.New("no CNI") }
		wantError(t, w.environment().Up(t.Context()), "no CNI")
		w.kind.Creating = nil
		wantKeptByHand(t, w)
	})
}

func TestUpKeepsAClusterMadeByHandInPlaceOfOneThatWasCutOff(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		var killed []byte // what a process leaves that is killed now
		w.kind.Creating = func(ctx context.Context, _ kind.CreateSpec) error {
			for !strings.Contains(string(killed), `"control"`) && ctx.Err() == nil {
				time.Sleep(time.Millisecond)
				killed, _ = os.ReadFile(w.environment().MemoryFile())
			}
			return errors.New("killed")
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		wantError(t, w.environment().Up(ctx), "killed")
		if !strings.Contains(string(killed), `"creating": true`) || !strings.Contains(string(killed), `"control"`) {
			t.Fatalf("while kind creates a cluster the memory is %s, want its control plane in it", killed)
		}
		rememberText(t, w, string(killed))
		w.kind.Creating = nil
		wantKeptByHand(t, w)
	})
}

func TestUpRemembersACreationThatLeftNodes(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.engine.Fail("Remove", 1, errors.New("device is busy"))
		w.kind.Creating = func(context.Context, kind.CreateSpec) error { return errors.New("no CNI") }
		wantError(t, w.environment().Up(t.Context()), "no CNI")
		w.kind.Creating = nil
		old := w.nodes()
		w.kind.OnKubectl = func([]string, string) (string, error) { return "", errors.New("timed out") }
		w.up(w.environment())
		if got := w.nodes(); len(old) != 1 || len(got) != 1 || got[0].ID == old[0].ID {
			t.Errorf("nodes are %v, were %v, want a new one", got, old)
		}
	})
}

func TestDownFindsTheEntryWhereItWasMerged(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		merged := filepath.Join(w.home, "team")
		w.Env["KUBECONFIG"] = merged
		w.up(w.environment())
		delete(w.Env, "KUBECONFIG")
		if err := w.environment().Down(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(merged); err != nil || strings.Contains(string(got), "kind-x") {
			t.Errorf("the kubeconfig that up wrote (%v):\n%s\nwant no entry of x", err, got)
		}
	})
}

// TestUpExpectsWhatAGivenUpCreationStillMakes has an image that can't be had end
// a creation while the engine works on a node, which comes up after Up has ended.
func TestUpExpectsWhatAGivenUpCreationStillMakes(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		creating := make(chan struct{})
		w.provider.onPrepare = func(context.Context) error {
			<-creating
			return errors.New("no such image")
		}
		w.kind.Creating = func(ctx context.Context, _ kind.CreateSpec) error {
			close(creating)
			<-ctx.Done()
			return errors.Join(context.Cause(ctx), kind.ErrBusy)
		}
		wantError(t, w.environment().Up(t.Context()), "no such image", kind.ErrBusy.Error())
		if got := w.nodes(); len(got) > 0 {
			t.Fatalf("nodes are %v, want none yet", got)
		}
		late := w.kind.PutNode("x", kind.RoleControlPlane, nodeImage)
		w.kind.SetUp(late)
		w.kind.OnKubectl = func([]string, string) (string, error) { return "", errors.New("connection refused") }
		w.kind.Creating, w.provider.onPrepare = nil, nil
		w.up(w.environment())
		if got := w.nodes(); len(got) != 1 || got[0].ID == late {
			t.Errorf("nodes are %v, want a new one in place of %s", got, late)
		}
	})
}
