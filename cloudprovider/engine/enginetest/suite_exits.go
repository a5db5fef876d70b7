package enginetest

import (
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

func remembersExits(t *testing.T, b *bench) {
	historian, ok := b.Engine.(engine.Historian)
	if !ok {
		t.Skip("the engine does not remember")
	}
	last := func(id string) (engine.Exit, bool) {
		exit, ok, err := historian.LastExit(t.Context(), b.get(t, id))
		must(t, "LastExit", err)
		return exit, ok
	}
	id := b.start(t, "out=ready", "ignore")
	b.says(t, id, "ready")
	_, known := last(id)
	same(t, "known in the first run", known, false)
	must(t, "Kill", b.Engine.Kill(t.Context(), id))
	b.exited(t, id)
	exit, known := last(id)
	same(t, "known after the end", known, true)
	same(t, "after the end", exit, engine.Exit{Code: killed})
	must(t, "Start", b.Engine.Start(t.Context(), id))
	exit, known = last(id)
	same(t, "known in the second run", known, true)
	same(t, "in the second run", exit, engine.Exit{Code: killed})
}
