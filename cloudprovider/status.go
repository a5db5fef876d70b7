package cloudprovider

import (
	"context"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// Status is what is known about the controller.
type Status struct {
	Container string       // its container's name, also when there is none
	ID        string       // its container's ID; empty when there is none
	Image     string       // the reference that the container was made from
	State     engine.State // of the container; empty when there is none
	Since     time.Time    // start of the current or last run; zero if it never ran
	Restarts  int          // by the engine, after a crash
	// ExitCode is that of the last run that ended, as long as the engine knows it, else zero.
	ExitCode    int
	OutOfMemory bool     // why that run ended
	Clusters    []string // the clusters that it serves, sorted; empty where its log can't be read
	Outdated    bool     // Start would replace it: other settings, another cluster of that name, a crash
	Reason      string   // the state in a sentence, with the cause of trouble
	// Warnings tell, in a sentence each, what else on the engine or on this
	// machine gets in the controller's way, and what to do about it.
	Warnings []string
}

// Running reports whether the controller's container runs. It is false when
// there is none, and when that can't be found out; [Controller.Status] tells which.
func (c *Controller) Running(ctx context.Context) bool {
	if c.check() != nil {
		return false
	}
	container, err := c.only(ctx)
	return err == nil && container.State == engine.Running
}

// Status describes the controller. Its error means that the status can't be
// found out; an absent or crashed controller is none.
func (c *Controller) Status(ctx context.Context) (Status, error) {
	status := Status{Container: c.name()}
	if err := c.check(); err != nil {
		return status, err
	}
	seen, err := c.look(ctx)
	if err != nil {
		return status, err
	}
	status.Warnings = c.warnings(seen)
	if len(seen.controllers) == 0 {
		status.Reason = "absent"
		return status, nil
	}
	spec, err := c.wanted(seen.cluster)
	if err != nil {
		return status, err
	}
	outdated, err := c.outdated(ctx, seen, spec)
	if err != nil {
		return status, err
	}
	status.Outdated = outdated != ""
	container := seen.controllers[0]
	status.fill(container)
	if exit, known := c.lastExit(ctx, container); known {
		status.ExitCode, status.OutOfMemory = exit.Code, exit.OOM
	}
	if container.State != engine.Running {
		status.Reason = c.ending(ctx, container) + "; " + c.lastLines(ctx, container)
		return status, nil
	}
	return status, c.tell(ctx, &status, container, outdated)
}

func (s *Status) fill(container engine.Container) {
	s.Container, s.ID, s.Image = container.Name, container.ID, container.Image
	s.State, s.Since, s.Restarts = container.State, container.StartedAt, container.RestartCount
}

// tell tells of a running controller.
func (c *Controller) tell(ctx context.Context, status *Status, container engine.Container, outdated string) error {
	log, readable, err := c.read(ctx, container)
	facts := []string{"running since " + container.StartedAt.UTC().Format(time.RFC3339)}
	if outdated != "" {
		facts = append(facts, "outdated: "+outdated)
	}
	switch {
	case err != nil:
	case !readable:
		facts = append(facts, "its log can't be read on this engine, so what it serves is not known")
	case outdated != earlierCluster:
		status.Clusters = log.clusters()
		if trouble := c.serves(log); trouble != nil {
			facts = append(facts, trouble.Error())
		}
	}
	status.Reason = strings.Join(facts, "; ")
	return err
}

// String is a line for people: container, state, clusters. In trouble the end
// of the log follows, in lines of its own.
func (s Status) String() string {
	text := s.Container + ": "
	if len(s.Clusters) > 0 {
		text += "serves " + strings.Join(s.Clusters, ", ") + "; "
	}
	return text + s.Reason
}
