package kindenv_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// stuckDriver is a driver whose every call waits until ctx is done, like kind's commands on an engine that hangs.
type stuckDriver struct{ kindenv.Driver }

func (stuckDriver) wait(ctx context.Context, what string) error {
	select {
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", what, context.Cause(ctx))
	case <-time.After(time.Hour):
		return nil
	}
}

func (h stuckDriver) Create(ctx context.Context, _ kind.CreateSpec) ([]byte, error) {
	return nil, h.wait(ctx, "create")
}
func (h stuckDriver) Delete(ctx context.Context, _ string) error { return h.wait(ctx, "delete") }
func (h stuckDriver) Nodes(ctx context.Context, _ string) ([]string, error) {
	return nil, h.wait(ctx, "nodes")
}

func (h stuckDriver) Kubeconfig(ctx context.Context, _ string) ([]byte, error) {
	return nil, h.wait(ctx, "kubeconfig")
}

func (h stuckDriver) SaveImages(ctx context.Context, _ []string, _ io.Writer) error {
	return h.wait(ctx, "save")
}

func (h stuckDriver) LoadArchive(ctx context.Context, _ string, _ io.Reader) error {
	return h.wait(ctx, "load")
}

func (h stuckDriver) Kubectl(ctx context.Context, _ string, _ io.Reader, _ ...string) ([]byte, error) {
	return nil, h.wait(ctx, "kubectl")
}

// TestKindsCallsEndWithTheEngine when it does not answer, and else take what they take.
func TestKindsCallsEndWithTheEngine(t *testing.T) {
	t.Parallel()
	calls := map[string]func(context.Context, kindenv.Driver) error{
		"create": func(ctx context.Context, d kindenv.Driver) error {
			_, err := d.Create(ctx, kind.CreateSpec{})
			return err
		},
		"delete":     func(ctx context.Context, d kindenv.Driver) error { return d.Delete(ctx, "x") },
		"nodes":      func(ctx context.Context, d kindenv.Driver) error { _, err := d.Nodes(ctx, "x"); return err },
		"kubeconfig": func(ctx context.Context, d kindenv.Driver) error { _, err := d.Kubeconfig(ctx, "x"); return err },
		"save":       func(ctx context.Context, d kindenv.Driver) error { return d.SaveImages(ctx, nil, io.Discard) },
		"load":       func(ctx context.Context, d kindenv.Driver) error { return d.LoadArchive(ctx, "x", nil) },
		"kubectl":    func(ctx context.Context, d kindenv.Driver) error { _, err := d.Kubectl(ctx, "x", nil); return err },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				eng := enginetest.NewFake()
				d := kindenv.KeepVigil(stuckDriver{}, eng)
				if err := call(t.Context(), d); err != nil {
					t.Errorf("with an engine that answers: %v", err)
				}
				silent := fmt.Errorf("%w: it has not answered for 30s", engine.ErrUnavailable)
				eng.Fail("NetworkIDs", 0, silent)
				began := time.Now()
				err := call(t.Context(), d)
				if !errors.Is(err, silent) || !strings.HasPrefix(err.Error(), name+": ") {
					t.Errorf("got %v, want that %s ends because the engine does not answer", err, name)
				}
				if lasted := time.Since(began); lasted > time.Minute {
					t.Errorf("it lasted %s", lasted)
				}
			})
		})
	}
}
