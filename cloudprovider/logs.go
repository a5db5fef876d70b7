package cloudprovider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// window is how many of a log's last lines are read, so that a controller that
// has run for weeks costs no more than a new one.
const window = 1000

// read reads the log of container's current run: its end and, where that does
// not tell whether the cluster is served, its beginning up to where it is. An
// engine-wide controller's is read whole. ok is false when the log can't be
// read on this engine.
func (c *Controller) read(ctx context.Context, container engine.Container) (log journal, ok bool, err error) {
	options := engine.LogOptions{Since: runSince(container), Tail: window}
	if c.cfg.ClusterName == "" {
		options.Tail = 0
	}
	log, ok, err = c.journal(ctx, container, options, nil)
	if _, told := log.attached[c.cfg.ClusterName]; err != nil || !ok || told || options.Tail == 0 || log.count < window {
		return log, ok, err
	}
	options.Tail = 0
	head, ok, err := c.journal(ctx, container, options, func(j journal) bool { return j.serves(c.cfg.ClusterName) })
	log.attached, log.past = head.attached, log.past || head.past
	return log, ok, err
}

// readEnd reads the last words of the run that ended last, as far as there are any, else the log's end.
func (c *Controller) readEnd(ctx context.Context, container engine.Container) (journal, bool, error) {
	if container.State == engine.Running && container.RestartCount > 0 {
		log, ok, err := c.journal(ctx, container, engine.LogOptions{
			Since: container.EndedAt.Add(-lastWords), Until: container.EndedAt.Add(lastDelay),
		}, nil)
		if err != nil || !ok || len(log.lines) > 0 {
			return log, ok, err
		}
	}
	return c.journal(ctx, container, engine.LogOptions{Tail: window}, nil)
}

const (
	// lastWords is how long before its end what a run said still tells of it.
	lastWords = time.Minute
	// lastDelay is for lines on their way to the log; an engine waits longer than that before the next run.
	lastDelay = 90 * time.Millisecond
)

// runSince is where the current run's log begins: not StartedAt, which can be
// later than its first lines.
func runSince(container engine.Container) time.Time {
	if container.EndedAt.After(container.StartedAt) {
		return time.Time{}
	}
	return container.EndedAt
}

// journal reads what options ask for, until enough says so. enough may be nil.
func (c *Controller) journal(ctx context.Context, container engine.Container, options engine.LogOptions, enough func(journal) bool) (journal, bool, error) {
	reader := &journalReader{journal: journal{attached: map[string]bool{}}, enough: enough}
	streamer, ok := c.eng.(engine.LogStreamer)
	if !ok {
		return reader.journal, false, nil
	}
	switch err := streamer.Logs(ctx, container.ID, options, reader); {
	case errors.Is(err, errEnough):
	case errors.Is(err, engine.ErrUnsupported): // such as with a log driver that only writes
		return reader.journal, false, nil
	case err != nil:
		return reader.journal, true, fmt.Errorf("log of %q: %w", container.Name, err)
	}
	reader.flush()
	return reader.journal, true, nil
}

var errEnough = errors.New("enough of the log is read")

// journalReader makes a journal of what is written to it, a line at a time.
type journalReader struct {
	journal
	partial []byte
	enough  func(journal) bool
}

// maxLine is how much of a line without an end is kept.
const maxLine = 64 << 10

func (r *journalReader) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		r.partial = append(r.partial, line[:min(len(line), maxLine-len(r.partial))]...)
		if rest = after; ended {
			r.flush()
		}
		if r.enough != nil && r.enough(r.journal) {
			return 0, errEnough
		}
	}
	return len(p), nil
}

// flush takes the line that is there.
func (r *journalReader) flush() {
	r.add(string(r.partial))
	r.partial = r.partial[:0]
}
