package docker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/docker/docker/api/types/events"
	"github.com/docker/docker/api/types/filters"

	"github.com/magekind/magekind/cloudprovider/engine"
)

const (
	// exitsBudget bounds the question, since a stream of events ends by the engine's clock.
	exitsBudget = 5 * time.Second
	// exitsMargin is how far an event's time may be from the one in the container's state.
	exitsMargin = 2 * time.Second
)

// LastExit implements [engine.Historian]. The engine keeps its last events, a
// few hundred of all containers; the window goes by the engine's own clock and
// is in the past, so that it answers at once.
func (e *Engine) LastExit(ctx context.Context, of engine.Container) (engine.Exit, bool, error) {
	if of.State != engine.Running && of.State != engine.Paused {
		return engine.Exit{Code: of.ExitCode, OOM: of.OOMKilled}, !of.EndedAt.IsZero(), nil
	}
	if of.EndedAt.IsZero() {
		return engine.Exit{}, false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, exitsBudget)
	defer cancel()
	messages, failed := e.api.Events(ctx, events.ListOptions{
		Since: timestamp(of.EndedAt.Add(-exitsMargin)), Until: timestamp(of.StartedAt),
		Filters: filters.NewArgs(filters.Arg("type", "container"), filters.Arg("container", of.ID)),
	})
	exit, ok, err := lastExit(messages, failed)
	if err != nil {
		return engine.Exit{}, false, fmt.Errorf("asking how container %q ended: %w", of.Name, translate(err))
	}
	return exit, ok, nil
}

// lastExit reads events to their end.
func lastExit(messages <-chan events.Message, failed <-chan error) (exit engine.Exit, ok bool, err error) {
	oom := false
	for {
		select {
		case message := <-messages:
			switch message.Action {
			case events.ActionOOM:
				oom = true
			case events.ActionDie, "died": // Podman
				code, err := strconv.Atoi(exitCode(message.Actor.Attributes))
				exit, ok, oom = engine.Exit{Code: code, OOM: oom}, err == nil, false
			}
		case err := <-failed:
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return exit, ok, err
		}
	}
}

func exitCode(attributes map[string]string) string {
	if code, ok := attributes["exitCode"]; ok {
		return code
	}
	return attributes["containerExitCode"] // Podman
}
