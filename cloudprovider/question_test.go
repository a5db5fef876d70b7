package cloudprovider_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// TestPrepareImagesCancelledWhileAsking leaves no container that asks, and gives no advice that nobody needs.
func TestPrepareImagesCancelledWhileAsking(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"Create", "Start", "Logs"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				f.Hang(method, 1)
				cfg := config()
				cfg.Notice = func(message string) { t.Errorf("got the notice %q, want none", message) }
				ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
				defer cancel()
				if err := f.controller(cfg).PrepareImages(ctx); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v, want the deadline", err)
				}
				f.wantNames("demo-control-plane")
			})
		})
	}
}

// TestPrepareImagesPullsOnlyOnAbsence: an engine in trouble is no reason to pull.
func TestPrepareImagesPullsOnlyOnAbsence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.Fail("Image", 1, engine.ErrUnavailable)
		err := f.controller(config()).PrepareImages(t.Context())
		if !errors.Is(err, engine.ErrUnavailable) {
			t.Errorf("got %v, want that the engine is unavailable", err)
		}
		if pulls := f.pulls(); len(pulls) > 0 {
			t.Errorf("pulled %q, want nothing", pulls)
		}
	})
}

// TestPullOfAnImageThatMayBePrivate: registries don't tell strangers which it is, so the advice is for both.
func TestPullOfAnImageThatMayBePrivate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.RemoveImage(image)
		f.Fail("Pull", 1, fmt.Errorf("%w: %w", engine.ErrNotFound, engine.ErrUnauthorized))
		wantError(t, f.controller(config()).PrepareImages(t.Context()), image, "docker login example.com", "check the name", "ResolveImage")
	})
}
