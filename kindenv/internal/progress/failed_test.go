package progress_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/progress"
)

// TestFailed: steps that run at the same time end each other.
func TestFailed(t *testing.T) {
	t.Parallel()
	cause, other := errors.New("cause"), errors.New("other")
	tests := map[string]struct {
		ends []error // of steps 1, 2, 3, in the order 3, 2, 1; nil: still runs
		err  error
		want string
	}{
		"none":         {nil, cause, ""},
		"runs":         {[]error{nil, nil}, cause, "step 1"},
		"only":         {[]error{cause}, cause, "step 1"},
		"consequence":  {[]error{cause, other}, fmt.Errorf("doing: %w", cause), "step 1"},
		"of no step":   {[]error{errors.New("a"), other}, cause, "step 2"},
		"joined":       {[]error{cause, other}, errors.Join(cause, other), "step 2"},
		"one succeeds": {[]error{cause, nil}, cause, "step 1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			console := progress.New(nil, nil)
			defer console.Close(nil)
			var steps []*progress.Step
			for i := range tt.ends {
				steps = append(steps, console.Step(fmt.Sprint("step ", i+1)))
			}
			for i := len(steps) - 1; i >= 0; i-- {
				if tt.ends[i] != nil {
					steps[i].Done(tt.ends[i])
				}
			}
			if got := console.Failed(tt.err); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	t.Run("kind's", func(t *testing.T) {
		t.Parallel()
		console := progress.New(nil, nil)
		defer console.Close(nil)
		ahead := console.Step("ahead")
		logger := console.Logger()
		logger.V(0).Infof(" • %s  ...\n", "Starting control-plane")
		ahead.Done(other)
		logger.V(0).Infof(" ✗ %s\n", "Starting control-plane")
		if got, want := console.Failed(cause), "Starting control-plane"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
