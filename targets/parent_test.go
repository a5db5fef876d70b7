package targets

import (
	"context"
	"testing"
	"time"
)

func TestWatchParentSeesAnotherParent(t *testing.T) {
	t.Parallel()
	asked := 0
	parent := func() int {
		asked++
		if asked <= 4 {
			return 100
		}
		return 1
	}
	gone := 0
	watchParent(t.Context(), parent, time.Millisecond, func() { gone++ })
	if asked != 5 || gone != 1 {
		t.Errorf("asked %d times and told %d times; want 5 and 1", asked, gone)
	}
}

func TestWatchParentEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	watchParent(ctx, func() int { return 1 }, time.Hour, func() { t.Error("the parent is called gone") })
}
