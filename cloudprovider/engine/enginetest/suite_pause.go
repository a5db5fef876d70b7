package enginetest

import (
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

func pauseChecks() []check {
	return []check{
		{"an absent container is not found", pauseAbsent},
		{"a paused container is paused, and goes on", pauses},
		{"pausing a paused container is a conflict", pausesTwice},
		{"pausing a container that does not run is a conflict", pausesStopped},
		{"unpausing a container that is not paused is a conflict", unpausesRunning},
		{"starting a paused container is a conflict", startsPaused},
		{"a paused container can be stopped", stopsPaused},
		{"a paused container can be removed", func(t *testing.T, b *bench) { b.removes(t, b.paused(t)) }},
	}
}

func (b *bench) pauser(t *testing.T) engine.Pauser {
	t.Helper()
	p, ok := b.Engine.(engine.Pauser)
	if !ok {
		t.Skip("the engine does not pause containers")
	}
	return p
}

// paused makes a container that is paused.
func (b *bench) paused(t *testing.T) string {
	t.Helper()
	p, id := b.pauser(t), b.start(t, "out=ready", "wait")
	b.says(t, id, "ready")
	must(t, "Pause", p.Pause(t.Context(), id))
	return id
}

func pauseAbsent(t *testing.T, b *bench) {
	p := b.pauser(t)
	wants(t, "Pause", p.Pause(t.Context(), absent), engine.ErrNotFound)
	wants(t, "Unpause", p.Unpause(t.Context(), absent), engine.ErrNotFound)
}

func pauses(t *testing.T, b *bench) {
	id := b.paused(t)
	same(t, "state", b.get(t, id).State, engine.Paused)
	must(t, "Unpause", b.pauser(t).Unpause(t.Context(), id))
	same(t, "state", b.get(t, id).State, engine.Running)
}

func pausesTwice(t *testing.T, b *bench) {
	id := b.paused(t)
	wants(t, "second Pause", b.pauser(t).Pause(t.Context(), id), engine.ErrConflict)
	same(t, "state", b.get(t, id).State, engine.Paused)
}

func pausesStopped(t *testing.T, b *bench) {
	id := b.create(t, b.spec("exit=0"))
	wants(t, "Pause of a created one", b.pauser(t).Pause(t.Context(), id), engine.ErrConflict)
	must(t, "Start", b.Engine.Start(t.Context(), id))
	b.exited(t, id)
	wants(t, "Pause of an exited one", b.pauser(t).Pause(t.Context(), id), engine.ErrConflict)
}

func unpausesRunning(t *testing.T, b *bench) {
	id := b.start(t, "wait")
	wants(t, "Unpause", b.pauser(t).Unpause(t.Context(), id), engine.ErrConflict)
	same(t, "state", b.get(t, id).State, engine.Running)
}

func startsPaused(t *testing.T, b *bench) {
	id := b.paused(t)
	wants(t, "Start", b.Engine.Start(t.Context(), id), engine.ErrConflict)
	same(t, "state", b.get(t, id).State, engine.Paused)
}

func stopsPaused(t *testing.T, b *bench) {
	id := b.paused(t)
	must(t, "Stop", b.Engine.Stop(t.Context(), id, grace))
	same(t, "state", b.exited(t, id).State, engine.Exited)
}
