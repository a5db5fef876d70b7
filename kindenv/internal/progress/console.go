// Package progress shows people what goes on, in kind's own style: a line with
// a spinner for each step that runs on a terminal, plain lines elsewhere. Its
// logger makes the steps of kind appear on the same console as ours.
package progress

import (
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// Console writes steps and notes to one writer. It is safe for use by several
// goroutines: steps that run at the same time have a line each on a terminal,
// and no line is ever mixed with another. Errors of the writer are ignored,
// since a lost progress line must not end the work.
type Console struct {
	terminal bool

	mu      sync.Mutex // guards out and all below
	out     io.Writer
	running []*Step // in the order they were started
	started []*Step // all of them
	failed  []*Step // in the order they ended
	drawn   int     // lines of the live region now on the terminal
	frame   int
	stop    chan struct{} // ends the ticker; nil when none runs
	closed  bool
}

// New returns a console on out; nil discards everything. env looks up
// environment variables as [os.Getenv] does; nil stands for an empty
// environment. [IsTerminal] says when the console uses a spinner and colours.
func New(out io.Writer, env func(string) string) *Console {
	if out == nil {
		out = io.Discard
	}
	return &Console{out: out, terminal: IsTerminal(out, env)}
}

// Note prints text, which may have several lines, above the running steps.
func (c *Console) Note(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.print(text)
}

// Warn prints text as a warning.
func (c *Console) Warn(text string) {
	const label = "WARNING:"
	text = strings.TrimSpace(strings.TrimPrefix(text, label))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.print(c.paint(yellow, label) + " " + text)
}

// Timing is how long a step took.
type Timing struct {
	Title   string
	Elapsed time.Duration
	Err     error // why it failed; nil when it succeeded
}

// Timings returns the steps that ended, in the order they were started.
func (c *Console) Timings() []Timing {
	c.mu.Lock()
	defer c.mu.Unlock()
	var timings []Timing
	for _, s := range c.started {
		if s.ended {
			timings = append(timings, Timing{Title: s.title, Elapsed: s.elapsed, Err: s.err})
		}
	}
	return timings
}

// Failed returns the title of the step that is to blame for err: the first that
// failed with it, or whose failure kind reported; else the first that failed, or
// that still runs. It is empty when there is none.
func (c *Console) Failed(err error) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, blame := range []func(*Step) bool{
		func(s *Step) bool { return errors.Is(err, s.err) },
		func(s *Step) bool { return errors.Is(s.err, errKindStep) },
		func(*Step) bool { return true },
	} {
		if i := slices.IndexFunc(c.failed, blame); i >= 0 {
			return c.failed[i].title
		}
	}
	if len(c.running) > 0 {
		return c.running[0].title
	}
	return ""
}

// errUnfinished is why a step failed when nobody gave a reason.
var errUnfinished = errors.New("not finished")

// Close marks every step that still runs as failed with err (nil: not
// finished), and stops the spinner. Steps started later are neither shown nor timed; notes still are.
// Call it before the program ends early, so that no half-drawn line is left.
func (c *Console) Close(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		err = errUnfinished
	}
	for len(c.running) > 0 {
		c.end(c.running[0], err)
	}
	c.closed = true
}
