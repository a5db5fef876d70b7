package cloudprovider

import (
	"context"
	"fmt"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// crashBudget is how long to watch a container that was restarted for its next
// exit, which tells the exit code, on engines that don't remember the last one.
const crashBudget = 5 * time.Second

// Exit codes above signalled are signals; this one comes from outside, the kernel included.
const (
	signalled = 128
	killed    = signalled + 9
)

// crash describes how a container ended.
func (c *Controller) crash(ctx context.Context, container engine.Container) error {
	if _, known := c.lastExit(ctx, container); !known {
		container = c.atItsEnd(ctx, container)
	}
	return fmt.Errorf("%s; %s", c.ending(ctx, container), c.lastLines(ctx, container))
}

// atItsEnd catches a container that the engine keeps restarting between two runs: while it runs it has no exit code.
func (c *Controller) atItsEnd(ctx context.Context, container engine.Container) engine.Container {
	// not crashing again is no failure of this: then the last state is told
	_ = retry.Until(ctx, crashBudget, func(ctx context.Context) error {
		if container.State != engine.Running {
			return nil
		}
		again, err := c.inspect(ctx, container.ID)
		if err != nil {
			return err
		}
		container = again
		return fmt.Errorf("container %q runs", container.Name)
	})
	return container
}

// lastExit tells how the last run that ended did so, as far as the engine
// knows: that it does not is no reason to fail.
func (c *Controller) lastExit(ctx context.Context, container engine.Container) (engine.Exit, bool) {
	if container.State != engine.Running {
		return engine.Exit{Code: container.ExitCode, OOM: container.OOMKilled}, true
	}
	historian, ok := c.eng.(engine.Historian)
	if !ok {
		return engine.Exit{}, false
	}
	exit, known, err := historian.LastExit(ctx, container)
	return exit, known && err == nil
}

// ending says in words why a container does not run, or how its run before ended.
func (c *Controller) ending(ctx context.Context, container engine.Container) string {
	switch container.State {
	case engine.Paused:
		return "it is paused"
	case engine.Created:
		return withError("it was never started", container)
	}
	exit, known := c.lastExit(ctx, container)
	text := "it ended"
	if known {
		text = "it exited with code " + exitCode(exit)
	}
	if exit.OOM || container.OOMKilled {
		text += ", out of memory (the engine's machine or VM, or the container's limit, has to have more)"
	}
	switch {
	case container.RestartCount > 0:
		text += ", and was restarted " + times(container.RestartCount)
	case c.wasStopped(container):
		text += ", stopped by somebody"
	}
	return withError(text, container)
}

// wasStopped reports whether it took somebody to end the container: Docker
// starts again what ends by itself.
func (c *Controller) wasStopped(container engine.Container) bool {
	return container.State == engine.Exited && container.Error == "" && c.eng.Endpoint().Kind == engine.Docker
}

func exitCode(exit engine.Exit) string {
	switch {
	case exit.Code == killed:
		return fmt.Sprintf("%d (killed)", exit.Code)
	case exit.Code > signalled:
		return fmt.Sprintf("%d (signal %d)", exit.Code, exit.Code-signalled)
	}
	return fmt.Sprint(exit.Code)
}

// withError adds why the last start failed, if it did.
func withError(text string, container engine.Container) string {
	if container.Error == "" {
		return text
	}
	return text + ": " + container.Error
}

// lastLines is the end of the log over all runs, as far as it can be had.
func (c *Controller) lastLines(ctx context.Context, container engine.Container) string {
	log, readable, err := c.readEnd(ctx, container)
	switch {
	case err != nil:
		return err.Error()
	case !readable:
		return "its log can't be read on this engine"
	}
	if log.listing != "" {
		return c.blind(log).Error()
	}
	return log.evidence(fullView)
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
