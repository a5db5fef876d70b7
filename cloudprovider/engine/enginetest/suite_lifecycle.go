package enginetest

import (
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

func startChecks() []check {
	return []check{
		{"an absent container is not found", func(t *testing.T, b *bench) {
			wants(t, "Start", b.Engine.Start(t.Context(), absent), engine.ErrNotFound)
		}},
		{"a container is found by name", startsByName},
		{"starting a running container is no error", startsTwice},
		{"an exited container runs again", startsAgain},
	}
}

func startsByName(t *testing.T, b *bench) {
	spec := b.spec("wait")
	id := b.create(t, spec)
	must(t, "Start", b.Engine.Start(t.Context(), spec.Name))
	same(t, "state", b.get(t, id).State, engine.Running)
}

func startsTwice(t *testing.T, b *bench) {
	id := b.start(t, "wait")
	before := b.get(t, id)
	must(t, "second Start", b.Engine.Start(t.Context(), id))
	same(t, "start time", b.get(t, id).StartedAt, before.StartedAt)
}

func startsAgain(t *testing.T, b *bench) {
	id := b.start(t, "out=hello", "wait")
	must(t, "Stop", b.Engine.Stop(t.Context(), id, grace))
	must(t, "Start", b.Engine.Start(t.Context(), id))
	c := b.get(t, id)
	same(t, "state", c.State, engine.Running)
	same(t, "restarts by the engine", c.RestartCount, 0)
}

func stopChecks() []check {
	return []check{
		{"an absent container is not found", func(t *testing.T, b *bench) {
			wants(t, "Stop", b.Engine.Stop(t.Context(), absent, grace), engine.ErrNotFound)
		}},
		{"a running container may end by itself", stopsGently},
		{"a container that ignores the signal is killed", stopsHard},
		{"stopping a container that does not run is no error", stopsStopped},
		{"killing an absent container is not found", func(t *testing.T, b *bench) {
			wants(t, "Kill", b.Engine.Kill(t.Context(), absent), engine.ErrNotFound)
		}},
		{"a running container is killed", kills},
		{"killing a container that does not run is no error", killsStopped},
	}
}

func stopsGently(t *testing.T, b *bench) {
	id := b.start(t, "out=ready", "wait", "exit=0")
	b.says(t, id, "ready")
	must(t, "Stop", b.Engine.Stop(t.Context(), id, grace))
	c := b.get(t, id)
	same(t, "state", c.State, engine.Exited)
	same(t, "exit code", c.ExitCode, 0)
}

func stopsHard(t *testing.T, b *bench) {
	id := b.start(t, "out=ready", "ignore")
	b.says(t, id, "ready")
	must(t, "Stop", b.Engine.Stop(t.Context(), id, 1))
	c := b.get(t, id)
	same(t, "state", c.State, engine.Exited)
	same(t, "exit code", c.ExitCode, killed)
}

func stopsStopped(t *testing.T, b *bench) {
	id := b.create(t, b.spec("exit=3"))
	must(t, "Stop of a created one", b.Engine.Stop(t.Context(), id, grace))
	must(t, "Start", b.Engine.Start(t.Context(), id))
	b.exited(t, id)
	must(t, "Stop of an exited one", b.Engine.Stop(t.Context(), id, grace))
	same(t, "exit code", b.get(t, id).ExitCode, 3)
}

func kills(t *testing.T, b *bench) {
	id := b.start(t, "ignore")
	must(t, "Kill", b.Engine.Kill(t.Context(), id))
	same(t, "exit code", b.exited(t, id).ExitCode, killed)
}

func killsStopped(t *testing.T, b *bench) {
	id := b.create(t, b.spec("exit=3"))
	must(t, "Kill of a created one", b.Engine.Kill(t.Context(), id))
	must(t, "Start", b.Engine.Start(t.Context(), id))
	b.exited(t, id)
	must(t, "Kill of an exited one", b.Engine.Kill(t.Context(), id))
	same(t, "exit code", b.get(t, id).ExitCode, 3)
}

func restartChecks() []check {
	return []check{
		{"without a policy an exited container stays so", neverRestarts},
		{"with a policy it is started again, and counted", restarts},
		{"a stop ends the restarting", restartStops},
		{"a run is told from the one before by its end", tellsRunsApart},
		{"how the run before ended is remembered", remembersExits},
	}
}

func neverRestarts(t *testing.T, b *bench) {
	same(t, "restarts", b.exited(t, b.start(t, "exit=1")).RestartCount, 0)
}

// restarting makes a container that fails again and again.
func (b *bench) restarting(t *testing.T) string {
	t.Helper()
	spec := b.spec("out=failing", "exit=3")
	spec.Restart = engine.RestartUnlessStopped
	id := b.create(t, spec)
	must(t, "Start", b.Engine.Start(t.Context(), id))
	return id
}

func restarts(t *testing.T, b *bench) {
	id := b.restarting(t)
	b.reach(t, id, "restarted twice", func(c engine.Container) bool { return c.RestartCount >= 2 })
	c := b.reach(t, id, "was seen between two runs", func(c engine.Container) bool {
		return c.State == engine.Restarting || c.State == engine.Exited // Podman does not tell the one from the other
	})
	same(t, "exit code", c.ExitCode, 3)
}

func restartStops(t *testing.T, b *bench) {
	if b.Engine.Endpoint().Kind == engine.Podman {
		t.Skip("Podman takes a container between two runs for a stopped one")
	}
	id := b.restarting(t)
	b.reach(t, id, "restarted", func(c engine.Container) bool { return c.RestartCount >= 1 })
	must(t, "Stop", b.Engine.Stop(t.Context(), id, grace))
	count := b.exited(t, id).RestartCount
	must(t, "Stop", b.Engine.Stop(t.Context(), id, grace))
	same(t, "restarts", b.get(t, id).RestartCount, count)
}

func tellsRunsApart(t *testing.T, b *bench) {
	id := b.start(t, "out=hello", "wait")
	b.says(t, id, "hello")
	must(t, "Kill", b.Engine.Kill(t.Context(), id))
	b.exited(t, id)
	must(t, "Start", b.Engine.Start(t.Context(), id))
	c := b.reach(t, id, "ran again", func(c engine.Container) bool { return c.State == engine.Running })
	same(t, "it has ended before", c.EndedAt.IsZero(), false)
	same(t, "it ended after its start", c.EndedAt.After(c.StartedAt), false)
	if _, ok := b.Engine.(engine.LogStreamer); !ok {
		return
	}
	since := func() string { return b.logs(t, id, engine.LogOptions{Since: c.EndedAt}) }
	await(t, "hello", since)
	same(t, "output since the end", since(), "hello\n")
	same(t, "output until the end", b.logs(t, id, engine.LogOptions{Until: c.EndedAt}), "hello\n")
	same(t, "all output", b.logs(t, id, engine.LogOptions{}), "hello\nhello\n")
}
