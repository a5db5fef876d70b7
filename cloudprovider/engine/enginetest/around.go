package enginetest

import (
	"context"
	"io"
	"reflect"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// methods are the names of the engine's methods that can fail.
func methods() []string {
	var names []string
	for _, part := range []reflect.Type{
		reflect.TypeFor[engine.Containers](), reflect.TypeFor[engine.Images](), reflect.TypeFor[engine.Networks](),
		reflect.TypeFor[engine.LogStreamer](), reflect.TypeFor[engine.Pauser](), reflect.TypeFor[engine.Execer](),
		reflect.TypeFor[engine.Historian](), reflect.TypeFor[engine.Surveyor](),
	} {
		for i := range part.NumMethod() {
			names = append(names, part.Method(i).Name)
		}
	}
	return names
}

// know keeps the name of a container, for the record of calls by ID.
func (f *Faults) know(id, name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.names[id] = name
}

// knownAs returns the name of a container, or id itself.
func (f *Faults) knownAs(id string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if name, ok := f.names[id]; ok {
		return name
	}
	return id
}

// faulty is the core of an engine with faults.
type faulty struct {
	faults *Faults
	eng    engine.Engine
}

func (e faulty) Endpoint() engine.Endpoint { return e.eng.Endpoint() }

func (e faulty) Close() error {
	if closer, ok := e.eng.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

func (e faulty) List(ctx context.Context, labels map[string]string) (found []engine.Container, err error) {
	err = e.faults.Call(ctx, "List", describe(labels), func() error {
		found, err = e.eng.List(ctx, labels)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, c := range found {
		e.faults.know(c.ID, c.Name)
	}
	return found, nil
}

func (e faulty) Create(ctx context.Context, spec engine.Spec) (id string, err error) {
	err = e.faults.Call(ctx, "Create", spec.Name, func() error {
		id, err = e.eng.Create(ctx, spec)
		return err
	})
	if err != nil {
		return "", err
	}
	e.faults.know(id, spec.Name)
	return id, nil
}

func (e faulty) Start(ctx context.Context, id string) error {
	return e.faults.Call(ctx, "Start", id, func() error { return e.eng.Start(ctx, id) })
}

func (e faulty) Stop(ctx context.Context, id string, grace time.Duration) error {
	return e.faults.Call(ctx, "Stop", id, func() error { return e.eng.Stop(ctx, id, grace) })
}

func (e faulty) Kill(ctx context.Context, id string) error {
	return e.faults.Call(ctx, "Kill", id, func() error { return e.eng.Kill(ctx, id) })
}

func (e faulty) Remove(ctx context.Context, id string) error {
	return e.faults.Call(ctx, "Remove", id, func() error { return e.eng.Remove(ctx, id) })
}

func (e faulty) Image(ctx context.Context, ref string) (image engine.Image, err error) {
	err = e.faults.Call(ctx, "Image", ref, func() error {
		image, err = e.eng.Image(ctx, ref)
		return err
	})
	if err != nil {
		return engine.Image{}, err
	}
	return image, nil
}

func (e faulty) Pull(ctx context.Context, ref string, progress func(engine.PullProgress)) error {
	return e.faults.Call(ctx, "Pull", ref, func() error { return e.eng.Pull(ctx, ref, progress) })
}

func (e faulty) NetworkIDs(ctx context.Context, name string) (ids []string, err error) {
	err = e.faults.Call(ctx, "NetworkIDs", name, func() error {
		ids, err = e.eng.NetworkIDs(ctx, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}
