package enginetest

import (
	"errors"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

func removeChecks() []check {
	return []check{
		{"an absent container is not found", func(t *testing.T, b *bench) {
			wants(t, "Remove", b.Engine.Remove(t.Context(), absent), engine.ErrNotFound)
		}},
		{"a created container is removed", func(t *testing.T, b *bench) { b.removes(t, b.create(t, b.spec("wait"))) }},
		{"a running container is removed", func(t *testing.T, b *bench) { b.removes(t, b.start(t, "ignore")) }},
		{"a restarting container is removed", func(t *testing.T, b *bench) { b.removes(t, b.restarting(t)) }},
		{"a removed container is not found any more", removesOnce},
		{"of two who remove a container at once both may find it gone", removesTogether},
		{"the name of a removed container is free", removeFreesName},
	}
}

func (b *bench) removes(t *testing.T, id string) {
	t.Helper()
	must(t, "Remove", b.Engine.Remove(t.Context(), id))
	same(t, "containers", names(b.list(t, nil)), "")
}

func removesOnce(t *testing.T, b *bench) {
	id := b.start(t, "wait")
	b.removes(t, id)
	wants(t, "second Remove", b.Engine.Remove(t.Context(), id), engine.ErrNotFound)
	wants(t, "Start", b.Engine.Start(t.Context(), id), engine.ErrNotFound)
}

func removesTogether(t *testing.T, b *bench) {
	id := b.start(t, "ignore")
	results := make(chan error, 2)
	for range cap(results) {
		go func() {
			err := b.Engine.Remove(t.Context(), id)
			if left, listErr := b.Engine.List(t.Context(), map[string]string{SuiteLabel: b.mark}); listErr != nil || len(left) > 0 {
				err = errors.Join(err, listErr, errors.New("after Remove there is still "+names(left)))
			}
			results <- err
		}()
	}
	for range cap(results) {
		if err := <-results; err != nil && !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("Remove: %v", err)
		}
	}
}

func removeFreesName(t *testing.T, b *bench) {
	spec := b.spec("wait")
	b.removes(t, b.create(t, spec))
	same(t, "name", b.get(t, b.create(t, spec)).Name, spec.Name)
}
