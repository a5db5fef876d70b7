package docker

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// limits are how long an engine may take for a call. They are generous, since
// machines that run kind are often busy: what exceeds them hangs.
type limits struct {
	question time.Duration // looking something up; also how often a silent stream has the engine pinged
	work     time.Duration // creating, starting, stopping (beside its grace), copying
	removal  time.Duration // removing, which deletes the container's files and volumes
	pull     time.Duration // the silence of a pull; between two messages an engine extracts, at most, a layer
}

func usualLimits() limits {
	return limits{question: 30 * time.Second, work: 2 * time.Minute, removal: 5 * time.Minute, pull: 10 * time.Minute}
}

// ask makes a call that the engine has to answer within limit.
func ask[T any](ctx context.Context, e *Engine, limit time.Duration, call func(context.Context) (T, error)) (T, error) {
	began := time.Now()
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	value, err := call(limited)
	switch {
	case err == nil:
		return value, nil
	case limited.Err() != nil && ctx.Err() == nil:
		err = &silence{host: e.endpoint.Host, lasted: limit}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = &silence{host: e.endpoint.Host, lasted: time.Since(began), ended: err}
	default:
		err = e.translate(err)
	}
	return value, err
}

// tell is ask for a call without a result.
func (e *Engine) tell(ctx context.Context, limit time.Duration, call func(context.Context) error) error {
	_, err := ask(ctx, e, limit, func(ctx context.Context) (struct{}, error) { return struct{}{}, call(ctx) })
	return err
}

// silence is an engine that does not answer: it is there, and hangs or is
// overloaded.
type silence struct {
	host   string
	lasted time.Duration
	ended  error // the caller's ctx, which left the engine less time than it may take; nil: it had all of it
}

func (s *silence) Error() string {
	text := fmt.Sprintf("the engine at %s has not answered for %s", s.host, rounded(s.lasted))
	if s.ended != nil {
		return fmt.Sprintf("%s: %v", text, s.ended)
	}
	return text + "; " + howToRevive(runtime.GOOS)
}

// Is reports whether the engine is to blame: not where the caller had no more time for it.
func (s *silence) Is(target error) bool { return s.ended == nil && target == engine.ErrUnavailable }

func (s *silence) Unwrap() error { return s.ended }

func rounded(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(time.Second)
}

// translate is the function of that name, with the engine and what to do about
// it where the connection was lost.
func (e *Engine) translate(err error) error {
	var known *silence
	if err == nil || errors.As(err, &known) {
		return err
	}
	lost := isLost(err)
	err = translate(err)
	if lost && errors.Is(err, engine.ErrUnavailable) {
		return fmt.Errorf("%w; the engine at %s was there before: if it was stopped, %s", err, e.endpoint.Host, howToStart(runtime.GOOS))
	}
	return err
}
