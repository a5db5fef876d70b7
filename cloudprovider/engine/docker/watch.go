package docker

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// watch keeps an eye on a call whose answer may take any time: a pull, a log
// that is followed, a command's output. Whenever nothing has come for a while
// it pings the engine, and ends the call when that does not answer either.
type watch struct {
	engine *Engine
	ping   func(context.Context) error // asks whether the engine is there
	ctx    context.Context
	cancel context.CancelCauseFunc
	last   atomic.Int64 // when the engine last gave something, in Unix nanoseconds
	// limit is the longest silence, also of an engine that answers; 0: none.
	limit time.Duration
}

// watch begins a call's watch. The call must use its ctx, and end it.
func (e *Engine) watch(ctx context.Context, limit time.Duration) *watch {
	return e.watchWith(ctx, e.ping, limit)
}

func (e *Engine) watchWith(ctx context.Context, ping func(context.Context) error, limit time.Duration) *watch {
	w := &watch{engine: e, ping: ping, limit: limit}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.heard()
	go w.run()
	return w
}

func (w *watch) heard() { w.last.Store(time.Now().UnixNano()) }

// end ends the watch and the call.
func (w *watch) end() { w.cancel(nil) }

func (w *watch) run() {
	tick := time.NewTicker(w.engine.limits.question)
	defer tick.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return
		case <-tick.C:
		}
		quiet := time.Since(time.Unix(0, w.last.Load()))
		switch {
		case quiet < w.engine.limits.question:
		case w.limit > 0 && quiet >= w.limit:
			w.cancel(&silence{host: w.engine.endpoint.Host, lasted: quiet})
		default:
			if err := w.ping(w.ctx); err != nil {
				w.cancel(err)
			}
		}
	}
}

// ping asks the engine whether it is there.
func (e *Engine) ping(ctx context.Context) error {
	return e.tell(ctx, e.limits.question, func(ctx context.Context) error {
		_, err := e.api.Ping(ctx)
		return err
	})
}

// reader notes that something came.
func (w *watch) reader(from io.Reader) io.Reader { return &heedful{from, w} }

type heedful struct {
	io.Reader
	watch *watch
}

func (h *heedful) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	if n > 0 {
		h.watch.heard()
	}
	return n, err
}

// explain tells what ended the call: the watch, the caller's ctx, or the engine.
func (w *watch) explain(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case w.ctx.Err() != nil && !errors.Is(context.Cause(w.ctx), context.Canceled):
		return context.Cause(w.ctx)
	}
	return w.engine.translate(err)
}
