package cloudprovider

import (
	"context"
	"slices"
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
	ExitCode  int          // of the last run; zero while it runs
	Clusters  []string     // the clusters that it serves, sorted; empty on engines that can't stream logs
	Outdated  bool         // Start would replace it: other settings, another cluster of that name, a crash
	Reason    string       // the state in a sentence, with the cause of trouble
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
	found, err := c.find(ctx)
	if err != nil {
		return status, err
	}
	if len(found) == 0 {
		status.Reason = "absent"
		return status, nil
	}
	container := found[0]
	status.fill(container)
	if status.Outdated, err = c.outdated(ctx, found); err != nil {
		return status, err
	}
	if container.State != engine.Running {
		status.Reason = ending(container) + "; " + c.lastLines(ctx, container)
		return status, nil
	}
	log, _, err := c.read(ctx, container)
	status.Clusters = log.clusters()
	status.Reason = reason(container, c.serves(log))
	return status, err
}

func (s *Status) fill(container engine.Container) {
	s.Container, s.ID, s.Image = container.Name, container.ID, container.Image
	s.State, s.Since = container.State, container.StartedAt
	s.Restarts, s.ExitCode = container.RestartCount, container.ExitCode
}

// outdated reports whether Start would make the controller anew.
func (c *Controller) outdated(ctx context.Context, found []engine.Container) (bool, error) {
	spec, _, err := c.wanted(ctx)
	if err != nil {
		return false, err
	}
	same, err := c.same(ctx, found, spec)
	return !same, err
}

// reason describes a running controller.
func reason(container engine.Container, trouble error) string {
	text := "running since " + container.StartedAt.UTC().Format(time.RFC3339)
	if container.RestartCount > 0 {
		text += ", restarted " + times(container.RestartCount)
	}
	if trouble != nil {
		text += "; " + trouble.Error()
	}
	return text
}

func (j journal) clusters() []string {
	names := make([]string, 0, len(j.attached))
	for name := range j.attached {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
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
