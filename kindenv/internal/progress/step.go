package progress

import (
	"slices"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

// Step is one piece of work that the console shows until it is done.
type Step struct {
	console *Console
	title   string
	begin   time.Time

	// guarded by console.mu
	detail  string
	told    time.Time // when a plain console last said something about it
	ended   bool
	elapsed time.Duration
	err     error
}

// Step starts a step and shows it.
func (c *Console) Step(title string) *Step {
	now := time.Now()
	s := &Step{console: c, title: oneLine(title), begin: now, told: now}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		s.ended = true
		return s
	}
	c.running = append(c.running, s)
	c.started = append(c.started, s)
	if c.terminal {
		c.redraw("")
	} else {
		c.print(" • " + s.title + "  ...")
	}
	c.startTicker()
	return s
}

// Detail says what the step is at, such as "2 of 3 nodes ready". A terminal
// shows it behind the title; elsewhere it only appears when the step takes long.
func (s *Step) Detail(text string) {
	s.console.mu.Lock()
	defer s.console.mu.Unlock()
	s.detail = oneLine(text)
}

// Done ends the step: as a success when err is nil, else as a failure. It does
// not print err, which is the caller's to report. Only the first call counts.
func (s *Step) Done(err error) {
	s.console.mu.Lock()
	defer s.console.mu.Unlock()
	s.console.end(s, err)
}

// end needs c.mu.
func (c *Console) end(s *Step, err error) {
	if s.ended {
		return
	}
	s.ended, s.err, s.elapsed = true, err, time.Since(s.begin)
	c.running = slices.DeleteFunc(c.running, func(r *Step) bool { return r == s })
	if len(c.running) == 0 {
		c.stopTicker()
	}
	mark := c.paint(green, "✓")
	if err != nil {
		mark = c.paint(red, "✗")
		c.failed = append(c.failed, s)
	}
	c.print(" " + mark + " " + s.title)
}

// oneLine keeps a text from breaking the lines that the console counts on, and
// credentials out of them.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(redact.Text(s), func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}
