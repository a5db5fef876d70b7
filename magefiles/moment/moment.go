// Package moment chooses when to kill a command: at moments that are spread
// over its course as it was observed once, and tied to its progress, so that a
// slower run is killed at the same points.
package moment

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Timeline is the course of one run of a command.
type Timeline struct {
	// Lines says when each line of output came, from the start of the command, in order.
	Lines []time.Duration
	// End is when the command ended.
	End time.Duration
}

// Moment is a point of a command's course.
type Moment struct {
	// Lines is how many lines of output have to come first.
	Lines int
	// Rest is how long to wait then.
	Rest time.Duration
}

// String says when it is.
func (m Moment) String() string {
	return fmt.Sprintf("%s after line %d", m.Rest.Round(time.Millisecond), m.Lines)
}

// Spread returns n moments of the course, each in a stretch of its own. Half of
// the stretches are of equal length in time, so that long steps are hit
// throughout; the others have equally many lines of output, so that short
// steps are hit too. Where in its stretch a moment lies is left to chance.
func (t Timeline) Spread(n int, chance *rand.Rand) []Moment {
	moments := make([]Moment, n)
	byTime, byLine := (n+1)/2, n/2
	for i := range moments {
		stretch := float64(i/2) + chance.Float64()
		if i%2 == 0 {
			moments[i] = t.at(time.Duration(stretch / float64(byTime) * float64(t.End)))
			continue
		}
		gap := int(stretch / float64(byLine) * float64(len(t.Lines)+1))
		from, to := t.gap(gap)
		moments[i] = Moment{gap, time.Duration(chance.Float64() * float64(to-from))}
	}
	return moments
}

// at is the moment so long after the start.
func (t Timeline) at(elapsed time.Duration) Moment {
	m := Moment{Rest: elapsed}
	for i, line := range t.Lines {
		if line > elapsed {
			break
		}
		m = Moment{i + 1, elapsed - line}
	}
	return m
}

// gap is the time between line i and the next, counted from 1; what comes
// before the first line is gap 0, and the last one lasts until the end.
func (t Timeline) gap(i int) (from, to time.Duration) {
	if i > 0 {
		from = t.Lines[i-1]
	}
	to = t.End
	if i < len(t.Lines) {
		to = t.Lines[i]
	}
	return from, to
}
