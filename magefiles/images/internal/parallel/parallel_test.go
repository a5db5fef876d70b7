package parallel_test

import (
	"context"
	"errors"
	"testing"

	"github.com/magekind/magekind/magefiles/images/internal/parallel"
)

func TestRunSideBySide(t *testing.T) {
	t.Parallel()
	ping, pong := make(chan int), make(chan int)
	err := parallel.Run(t.Context(),
		func(context.Context) error { ping <- 1; <-pong; return nil },
		func(context.Context) error { <-ping; pong <- 1; return nil },
	)
	if err != nil {
		t.Error(err)
	}
}

func TestRunReportsTheCause(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	err := parallel.Run(t.Context(),
		func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		func(context.Context) error { return broken },
	)
	if !errors.Is(err, broken) || errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v alone", err, broken)
	}
}

func TestRunIsCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := parallel.Run(ctx, func(ctx context.Context) error { return ctx.Err() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
