package kindenv

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// vigilEvery is how often the engine is looked at during a call of kind's. The
// look itself waits as long as an engine may take to answer.
const vigilEvery = 20 * time.Second

// vigilant is a driver whose calls end when the engine no longer answers: kind
// works through commands that would wait for it for ever.
type vigilant struct {
	driver
	eng engine.Engine
}

// keepVigil makes a driver vigilant, where the engine can be asked.
func keepVigil(d driver, eng engine.Engine) driver {
	if _, ok := eng.(mute); ok {
		return d
	}
	return vigilant{d, eng}
}

// beside makes a call with a ctx that ends when the engine does not answer. The
// driver's error then has the cause.
func beside[T any](ctx context.Context, v vigilant, call func(context.Context) (T, error)) (T, error) {
	watched, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go v.look(watched, cancel)
	return call(watched)
}

func (v vigilant) look(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(vigilEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if _, err := v.eng.NetworkIDs(ctx, kindNetwork); errors.Is(err, engine.ErrUnavailable) {
			cancel(err)
			return
		}
	}
}

func (v vigilant) tell(ctx context.Context, call func(context.Context) error) error {
	_, err := beside(ctx, v, func(ctx context.Context) (struct{}, error) { return struct{}{}, call(ctx) })
	return err
}

// Create, and the others, are the driver's own.
func (v vigilant) Create(ctx context.Context, spec kind.CreateSpec) ([]byte, error) {
	return beside(ctx, v, func(ctx context.Context) ([]byte, error) { return v.driver.Create(ctx, spec) })
}

func (v vigilant) Delete(ctx context.Context, name string) error {
	return v.tell(ctx, func(ctx context.Context) error { return v.driver.Delete(ctx, name) })
}

func (v vigilant) Nodes(ctx context.Context, name string) ([]string, error) {
	return beside(ctx, v, func(ctx context.Context) ([]string, error) { return v.driver.Nodes(ctx, name) })
}

func (v vigilant) Kubeconfig(ctx context.Context, name string) ([]byte, error) {
	return beside(ctx, v, func(ctx context.Context) ([]byte, error) { return v.driver.Kubeconfig(ctx, name) })
}

func (v vigilant) SaveImages(ctx context.Context, refs []string, out io.Writer) error {
	return v.tell(ctx, func(ctx context.Context) error { return v.driver.SaveImages(ctx, refs, out) })
}

func (v vigilant) LoadArchive(ctx context.Context, name string, archive io.Reader) error {
	return v.tell(ctx, func(ctx context.Context) error { return v.driver.LoadArchive(ctx, name, archive) })
}

func (v vigilant) Kubectl(ctx context.Context, name string, stdin io.Reader, args ...string) ([]byte, error) {
	return beside(ctx, v, func(ctx context.Context) ([]byte, error) { return v.driver.Kubectl(ctx, name, stdin, args...) })
}
