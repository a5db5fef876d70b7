package cloudprovider_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestResolveImage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.RemoveImage(image)
		f.AddImage("localhost/built:1")
		var asked []string
		cfg := config()
		cfg.ResolveImage = func(_ context.Context, ref string) (string, error) {
			asked = append(asked, ref)
			return "localhost/built:1", nil
		}
		before := f.mustStart(f.controller(cfg))
		if got := before.Image; got != "localhost/built:1" {
			t.Errorf("got image %q, want the resolved one", got)
		}
		// the second start is satisfied without pulling or resolving
		pulls := len(f.pulls())
		if after := f.mustStart(f.controller(cfg)); after.ID != before.ID {
			t.Error("the container was replaced")
		}
		if got, want := asked, []string{image}; !slices.Equal(got, want) || len(f.pulls()) != pulls {
			t.Errorf("asked for %q with %d pulls, want %q once, and %d", got, len(f.pulls()), want, pulls)
		}
	})
}

func TestResolveImageFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			absent string
			answer string
			err    error
			want   []string
		}{
			{image, "", errors.New("the build failed"), []string{image, "no registry has it", "the build failed"}},
			{image, "localhost/none", nil, []string{image, "what ResolveImage gave", `"localhost/none"`}},
			{proxy, image, nil, []string{proxy, image, "tag it so"}},
		} {
			f := newFixture(t)
			f.RemoveImage(test.absent)
			cfg := config()
			cfg.ResolveImage = func(context.Context, string) (string, error) { return test.answer, test.err }
			wantError(t, f.controller(cfg).PrepareImages(t.Context()), test.want...)
		}
	})
}

// TestResolveImageNotWhenCancelled: what it would build nobody waits for.
func TestResolveImageNotWhenCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.RemoveImage(image)
		f.Hang("Pull", 1)
		cfg := config()
		cfg.ResolveImage = func(context.Context, string) (string, error) {
			t.Error("it was asked")
			return image, nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		err := f.controller(cfg).PrepareImages(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "check the name") {
			t.Errorf("got %v, want the deadline and no advice", err)
		}
	})
}
