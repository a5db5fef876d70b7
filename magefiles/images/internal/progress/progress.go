// Package progress tells a person who waits what goes on: one line when a step
// begins and one when it ends, with the time since the start of the program, and
// a sign of life in between.
package progress

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Log writes the lines. Its methods are safe for concurrent use.
type Log struct {
	out   io.Writer
	begin time.Time

	mu      sync.Mutex
	last    time.Time // of the last line
	running []*Step   // in the order of their beginning
}

// New returns a Log that writes to out and counts its time from now on.
func New(out io.Writer) *Log {
	now := time.Now()
	return &Log{out: out, begin: now, last: now}
}

// Printf writes one line.
func (l *Log) Printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.print(fmt.Sprintf(format, args...))
}

func (l *Log) print(text string) {
	l.last = time.Now()
	fmt.Fprintf(l.out, "%8s  %s\n", seconds(time.Since(l.begin)), text)
}

// Step begins a step that is called name.
func (l *Log) Step(name string) *Step {
	l.mu.Lock()
	defer l.mu.Unlock()
	step := &Step{log: l, name: name, begin: time.Now()}
	l.running = append(l.running, step)
	l.print(name + " ...")
	return step
}

// Beat writes what is running whenever nothing else was written for the given
// time, until ctx is done.
func (l *Log) Beat(ctx context.Context, quiet time.Duration) {
	ticker := time.NewTicker(max(quiet/10, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			l.beat(quiet)
		}
	}
}

func (l *Log) beat(quiet time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.running) == 0 || time.Since(l.last) < quiet {
		return
	}
	texts := make([]string, len(l.running))
	for i, step := range l.running {
		texts[i] = step.String()
	}
	l.print("still at it: " + strings.Join(texts, "; "))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1fs", d.Seconds()) }
