package kindenv_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

func TestDump(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.speaking()
		env := w.environment()
		w.up(env)
		folder, err := env.Dump(t.Context())
		if err != nil || folder != env.DumpFolder() {
			t.Fatalf("Dump = %q, %v", folder, err)
		}
		if err := os.WriteFile(filepath.Join(folder, "old.txt"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := env.Dump(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(folder, "old.txt")); !os.IsNotExist(err) {
			t.Errorf("the old dump is left (%v)", err)
		}
	})
}

// TestDumpReplacesNothingElse: DumpDir is the user's, who may be mistaken.
func TestDumpReplacesNothingElse(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.Env["CI"] = "true"
		precious := w.write("x/precious", "content")
		w.provider.onStart = func(context.Context) error { return errors.New("boom") }
		env := w.environment(func(cfg *kindenv.Config) { cfg.DumpDir = "." })
		wantError(t, env.Up(t.Context()), "boom", filepath.Dir(precious), "DumpDir")
		if content, err := os.ReadFile(precious); err != nil || string(content) != "content" {
			t.Errorf("it is %q (%v)", content, err)
		}
		if block := blockOf(t, w); strings.Contains(block, "dump:") {
			t.Errorf("the block names a dump:\n%s", block)
		}
	})
}

// hung is an engine that no longer answers once it hangs.
type hung struct {
	engine.Engine
	hangs chan struct{} // closed: it does
}

func (h *hung) List(ctx context.Context, labels map[string]string) ([]engine.Container, error) {
	select {
	case <-h.hangs:
		<-ctx.Done()
		return nil, context.Cause(ctx)
	default:
		return h.Engine.List(ctx, labels)
	}
}

// TestDumpOfAnEngineThatHangs ends in time, and at once when it is interrupted.
func TestDumpOfAnEngineThatHangs(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		eng := &hung{w.engine, make(chan struct{})}
		close(eng.hangs)
		w.World.Engine = eng
		env := w.environment()
		begin := time.Now()
		folder, err := env.Dump(t.Context())
		if took := time.Since(begin); err != nil || took > 25*time.Second {
			t.Errorf("Dump = %v after %s", err, took)
		}
		files := dumped(t, folder)
		if got := files["containers.json"]; !strings.Contains(got, "not done after 20s") || !strings.Contains(files["versions.txt"], "docker 28.0") {
			t.Errorf("the dump does not say what could not be read: %q", files)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		begin = time.Now()
		if _, err := env.Dump(ctx); !errors.Is(err, context.Canceled) || time.Since(begin) > 2*time.Second {
			t.Errorf("Dump = %v after %s", err, time.Since(begin))
		}
	})
}

func TestRunKeepsADump(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.speaking()
		env := w.environment()
		err := kindenv.RunIn(t.Context(), env, func(context.Context, *kindenv.Environment) error { return errors.New("the test failed") })
		var failure *kindenv.Failure
		if !errors.As(err, &failure) || failure.Dump != env.DumpFolder() || !failure.Explained {
			t.Errorf("got %#v", err)
		}
		block := blockOf(t, w)
		for _, want := range []string{"error: the test failed", "| kube-system coredns 0/1 Pending", "| kubelet: no CNI", "dump:  " + env.DumpFolder()} {
			if !strings.Contains(block, want) {
				t.Errorf("the block lacks %q:\n%s", want, block)
			}
		}
		wantDump(t, env)
	})
}

// TestRunKeepsADumpOfAFailedUp wherever it runs: the environment is gone afterwards.
func TestRunKeepsADumpOfAFailedUp(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.speaking()
		w.kind.Creating = func(context.Context, kind.CreateSpec) error { return errors.New("no CNI") }
		env := w.environment()
		err := kindenv.RunIn(t.Context(), env, func(context.Context, *kindenv.Environment) error { return nil })
		wantError(t, err, "no CNI")
		if !strings.Contains(blockOf(t, w), "dump:  "+env.DumpFolder()) {
			t.Errorf("the block names no dump:\n%s", w.out)
		}
		wantDump(t, env)
	})
}
