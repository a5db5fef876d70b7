package progress

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

const (
	frameInterval = 100 * time.Millisecond
	// a plain console repeats a running step this often, so that a long one
	// is not taken for a hang (some CI systems end a job that is silent)
	remindInterval = 30 * time.Second
	// a step that takes longer than this shows its elapsed time
	showElapsedAfter = 5 * time.Second

	eraseBelow = "\x1b[J"
	cursorUp   = "\x1b[A"
	wrapOff    = "\x1b[?7l" // a long line is cut, so that lines can be counted
	wrapOn     = "\x1b[?7h"

	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	dim    = "\x1b[2m"
	reset  = "\x1b[0m"
)

// spinner returns the n-th frame of kind's spinner.
func spinner(n int) string {
	frames := [...]string{"⠈⠁", "⠈⠑", "⠈⠱", "⠈⡱", "⢀⡱", "⢄⡱", "⢄⡱", "⢆⡱", "⢎⡱", "⢎⡰", "⢎⡠", "⢎⡀", "⢎⠁", "⠎⠁", "⠊⠁"}
	return frames[n%len(frames)]
}

func (c *Console) paint(colour, text string) string {
	if !c.terminal {
		return text
	}
	return colour + text + reset
}

// print writes text as lines of its own, above the live region. It needs c.mu.
func (c *Console) print(text string) {
	c.redraw(strings.TrimSuffix(redact.Text(text), "\n") + "\n")
}

// redraw replaces the live region: what is on the terminal is erased, above
// (empty, or whole lines) takes its place, and the running steps are drawn
// below it, all in one write. It needs c.mu.
func (c *Console) redraw(above string) {
	var b strings.Builder
	if c.drawn > 0 {
		b.WriteString("\r" + strings.Repeat(cursorUp, c.drawn-1) + eraseBelow)
		c.drawn = 0
	}
	b.WriteString(above)
	if c.terminal && len(c.running) > 0 {
		lines := make([]string, len(c.running))
		for i, s := range c.running {
			lines[i] = spinner(c.frame) + " " + s.title + c.paint(dim, s.state("  "))
		}
		c.drawn = len(lines)
		b.WriteString(wrapOff + strings.Join(lines, "\n") + wrapOn)
	}
	_, _ = io.WriteString(c.out, b.String())
}

// state tells the step's detail and, once it takes long, its elapsed time.
func (s *Step) state(separator string) string {
	var b strings.Builder
	if s.detail != "" {
		b.WriteString(separator + s.detail)
	}
	if elapsed := time.Since(s.begin); elapsed >= showElapsedAfter {
		fmt.Fprintf(&b, "%s%s", separator, elapsed.Truncate(time.Second))
	}
	return b.String()
}

// remind repeats the steps of a plain console that run since long.
func (c *Console) remind() {
	for _, s := range c.running {
		if now := time.Now(); now.Sub(s.told) >= remindInterval {
			s.told = now
			c.print(" • " + s.title + "  ..." + s.state(" "))
		}
	}
}

// startTicker needs c.mu.
func (c *Console) startTicker() {
	if c.stop != nil {
		return
	}
	stop := make(chan struct{})
	c.stop = stop
	interval := frameInterval
	if !c.terminal {
		interval = time.Second
	}
	go func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-stop:
				return
			case <-ticker.C:
				c.tick(stop)
			}
		}
	}()
}

// stopTicker needs c.mu.
func (c *Console) stopTicker() {
	if c.stop != nil {
		close(c.stop)
		c.stop = nil
	}
}

func (c *Console) tick(ticker chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.stop != ticker: // stopped while this tick waited for its turn
	case c.terminal:
		c.frame++
		c.redraw("")
	default:
		c.remind()
	}
}
