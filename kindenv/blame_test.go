package kindenv_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// TestFailureNamesTheStepThatFailed: kind's, beside which it failed, was only cut off.
func TestFailureNamesTheStepThatFailed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	creating := make(chan struct{})
	w.kind.Creating = func(ctx context.Context, _ kind.CreateSpec) error {
		close(creating)
		<-ctx.Done()
		return ctx.Err()
	}
	w.provider.onPrepare = func(context.Context) error {
		<-creating
		return errors.New("no such image")
	}
	var failure *kindenv.Failure
	if err := w.environment().Up(t.Context()); !errors.As(err, &failure) || !strings.Contains(failure.Step, "cloud provider's image") {
		t.Errorf("got %#v (%v), want the step of the cloud provider's image", failure, err)
	}
	if block := blockOf(t, w); !strings.Contains(block, "step:  Getting the cloud provider's images") {
		t.Errorf("the block lacks the step:\n%s", block)
	}
}
