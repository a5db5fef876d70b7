package kindenv_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kind"
)

const awaitsCommand = `Waiting for another command on environment "x": process `

// creating has kind create no further until the returned function is called.
func (w *world) creating() (begun <-chan struct{}, goOn func()) {
	reached, released := make(chan struct{}), make(chan struct{})
	var once sync.Once
	w.kind.Creating = func(ctx context.Context, _ kind.CreateSpec) error {
		once.Do(func() { close(reached) })
		select {
		case <-released:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return reached, func() { close(released) }
}

func TestTwoUpsAtOnce(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		begun, goOn := w.creating()
		first, second := w.process(), w.process()
		first.begin(t.Context(), first.Up)
		<-begun
		second.begin(t.Context(), second.Up)
		second.says(awaitsCommand + fmt.Sprint(os.Getpid()))
		goOn()
		first.succeeds()
		nodes := w.nodes()
		second.succeeds()
		if got := w.called("Create"); got != 1 {
			t.Errorf("kind created %d clusters, want one", got)
		}
		if got := w.nodes(); len(got) != 1 || got[0].ID != nodes[0].ID {
			t.Errorf("nodes are %v, were %v", got, nodes)
		}
		if got := second.out.String(); !strings.Contains(got, "Ready") && !strings.Contains(got, "ready") {
			t.Errorf("the second does not find it ready:\n%s", got)
		}
		w.wantNoLocks()
	})
}

func TestDownDuringUp(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		begun, goOn := w.creating()
		up, down := w.process(), w.process()
		up.begin(t.Context(), up.Up)
		<-begun
		down.begin(t.Context(), down.Down)
		down.says(awaitsCommand)
		if got := w.nodes(); len(got) != 1 {
			t.Errorf("nodes are %v while the down waits, want the one in the making", got)
		}
		goOn()
		up.succeeds()
		down.succeeds()
		w.wantDown()
	})
}

func TestUpDuringDown(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.up(w.environment())
		old := w.nodes()[0].ID
		stopping, stop := make(chan struct{}), make(chan struct{})
		w.provider.onStop = func(context.Context) error {
			close(stopping)
			<-stop
			return nil
		}
		down, up := w.process(), w.process()
		down.begin(t.Context(), down.Down)
		<-stopping
		up.begin(t.Context(), up.Up)
		up.says(awaitsCommand)
		close(stop)
		down.succeeds()
		up.succeeds()
		if got := w.nodes(); len(got) != 1 || got[0].ID == old {
			t.Errorf("nodes are %v, want a new one", got)
		}
		w.wantUp()
	})
}

func TestThreeUpsOfWhichAWaitingOneIsCancelled(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		begun, goOn := w.creating()
		first, second, third := w.process(), w.process(), w.process()
		first.begin(t.Context(), first.Up)
		<-begun
		ctx, cancel := context.WithCancel(t.Context())
		second.begin(ctx, second.Up)
		second.says(awaitsCommand)
		third.begin(t.Context(), third.Up)
		third.says(awaitsCommand)
		cancel()
		err := <-second.ended
		wantError(t, err, "wait for other commands", "process ")
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the second: %v, want %v", err, context.Canceled)
		}
		goOn()
		first.succeeds()
		third.succeeds()
		if got := w.called("Create"); got != 1 {
			t.Errorf("kind created %d clusters, want one", got)
		}
		w.wantUp()
	})
}

// TestUpsAndDownsInAnyOrder begins many commands at once, some of which are
// cancelled: whichever comes last, the environment is whole or gone.
func TestUpsAndDownsInAnyOrder(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		for range 2 {
			var all sync.WaitGroup
			for range 4 {
				p, ctx := w.process(), t.Context()
				if random.IntN(3) == 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithCancel(ctx)
					all.Go(cancel)
				}
				command := []func(context.Context) error{p.Up, p.Down}[random.IntN(2)]
				all.Go(func() {
					if err := command(ctx); err != nil && ctx.Err() == nil {
						t.Errorf("%v\n%s", err, p.out)
					}
				})
			}
			all.Wait()
			w.wantNoLocks()
			last := w.process()
			if random.IntN(2) == 0 {
				last.begin(t.Context(), last.Up)
				last.succeeds()
				w.wantUp()
			} else {
				last.begin(t.Context(), last.Down)
				last.succeeds()
				w.wantDown()
			}
		}
	})
}

func TestUpAfterAProcessThatDied(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		p := w.process()
		path := p.LockFile(host)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{path, path + ".holder"} {
			if err := os.WriteFile(name, []byte("process 1 (mage env:up), since 2020-01-01 00:00:00"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		p.begin(t.Context(), p.Up)
		p.succeeds()
		if strings.Contains(p.out.String(), "Waiting for another command") {
			t.Errorf("it waited for the dead:\n%s", p.out)
		}
		w.wantNoLocks()
	})
}

// wantUp wants the whole of environment "x".
func (w *world) wantUp() {
	w.t.Helper()
	status, err := w.environment().Status(w.t.Context())
	if err != nil || status.API != "ready" || !status.Serves || !status.Merged || status.Kubeconfig == "" {
		w.t.Errorf("Status = %+v, %v; want all of it", status, err)
	}
	w.wantNoLocks()
}

// wantDown wants nothing of environment "x".
func (w *world) wantDown() {
	w.t.Helper()
	status, err := w.environment().Status(w.t.Context())
	if err != nil || status.Exists || status.Serves || status.Merged || status.Kubeconfig != "" {
		w.t.Errorf("Status = %+v, %v; want nothing", status, err)
	}
	left, err := filepath.Glob(filepath.Join(w.CacheDir, "*"))
	left = slices.DeleteFunc(left, func(path string) bool { return strings.HasPrefix(filepath.Base(path), "proxy-image-") })
	if err != nil || len(left) > 0 {
		w.t.Errorf("files are left: %q (%v)", left, err)
	}
}
