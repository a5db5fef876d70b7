// Package logs shows the output of several sources side by side, each line
// behind the name of its source. It only reads: it never stops a source.
package logs

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// Source is something that writes lines: a container, or the journal of a node.
type Source struct {
	// Name stands in front of each of its lines.
	Name string
	// ID tells sources apart; empty: Name does.
	ID string
	// Started is when its current run began, by the source's own clock; zero
	// when that is not known. A source that ended is read again when it changes.
	Started time.Time
	// Ended says that it does not run now, so that what it wrote is read once.
	Ended bool
	// Stream writes the source's output to out until the source ends (nil), fails
	// or ctx is done. With a zero since it begins with the recent history, as
	// much as it sees fit, else with what was written after since.
	Stream func(ctx context.Context, since time.Time, out io.Writer) error
}

func (s Source) id() string {
	if s.ID != "" {
		return s.ID
	}
	return s.Name
}

// Options are the options of [Stream] and [Dump].
type Options struct {
	// Colour gives each source's name a colour of its own.
	Colour bool
	// Poll is the time between looks for new sources; zero: one second.
	Poll time.Duration
}

// Stream writes the lines of all sources that find returns to out, as they come,
// until ctx is done, and then returns nil. It calls find again and again, and
// follows sources that appear later, or come back. It returns an error
// when the first call of find fails, or a write to out; other failures are
// told among the lines and tried again. find and the sources' Stream functions have to
// return when their ctx is done; Stream waits for them.
func Stream(ctx context.Context, find func(context.Context) ([]Source, error), out io.Writer, opts Options) error {
	follow, stop := context.WithCancel(ctx)
	f := &follower{
		printer: &printer{out: out, colour: opts.Colour, broken: stop},
		states:  map[string]*state{},
		ended:   make(chan end),
	}
	defer f.running.Wait()
	defer stop()
	sources, err := find(follow)
	if err != nil && follow.Err() == nil {
		return fmt.Errorf("find what to show the logs of: %w", err)
	}
	f.begin(follow, sources)
	poll := time.NewTicker(opts.poll())
	defer poll.Stop()
	for {
		select {
		case <-follow.Done():
			return f.printer.failure()
		case e := <-f.ended:
			f.note(e)
		case <-poll.C:
			f.look(follow, find)
		}
	}
}

func (o Options) poll() time.Duration {
	if o.Poll > 0 {
		return o.Poll
	}
	return time.Second
}

// follower keeps track of the sources that are being followed. All but running
// belongs to the goroutine of [Stream].
type follower struct {
	printer *printer
	states  map[string]*state // by Source.id
	ended   chan end
	running sync.WaitGroup
	trouble string // why the last call of find failed
}

type state struct {
	source  Source
	active  bool      // its Stream runs
	since   time.Time // when its Stream ended
	trouble string    // why its Stream failed
}

type end struct {
	id  string
	at  time.Time
	err error
}
