package moment_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/moment"
)

// course has a long step in the middle and short ones at both ends.
func course() moment.Timeline {
	return moment.Timeline{
		Lines: []time.Duration{1 * time.Second, 2 * time.Second, 18 * time.Second, 19 * time.Second},
		End:   20 * time.Second,
	}
}

// elapsed is when m is in a run that takes the very same course.
func elapsed(t *testing.T, c moment.Timeline, m moment.Moment) time.Duration {
	t.Helper()
	next := c.End
	if m.Lines < len(c.Lines) {
		next = c.Lines[m.Lines]
	}
	from := time.Duration(0)
	if m.Lines > 0 {
		from = c.Lines[m.Lines-1]
	}
	at := from + m.Rest
	if at < from || at > next {
		t.Errorf("%s is at %s, which is not between its line at %s and the next at %s", m, at, from, next)
	}
	return at
}

func TestSpreadCoversTheCourse(t *testing.T) {
	t.Parallel()
	c := course()
	for seed := range uint64(50) {
		moments := c.Spread(20, rand.New(rand.NewPCG(seed, 0)))
		if len(moments) != 20 {
			t.Fatalf("got %d moments, want 20", len(moments))
		}
		var gaps []int
		for i, m := range moments {
			at := elapsed(t, c, m)
			if i%2 == 1 {
				gaps = append(gaps, m.Lines)
				continue
			}
			from := time.Duration(i/2) * 2 * time.Second
			if at < from || at > from+2*time.Second {
				t.Errorf("seed %d: moment %d is at %s, want it in the two seconds from %s", seed, i, at, from)
			}
		}
		for gap := range len(c.Lines) + 1 {
			if !slices.Contains(gaps, gap) {
				t.Errorf("seed %d: no moment by lines comes after line %d; they come after %d", seed, gap, gaps)
			}
		}
	}
}

func TestSpreadIsDecidedByTheSeed(t *testing.T) {
	t.Parallel()
	one, same, other := course().Spread(5, rand.New(rand.NewPCG(1, 0))), course().Spread(5, rand.New(rand.NewPCG(1, 0))), course().Spread(5, rand.New(rand.NewPCG(2, 0)))
	if !slices.Equal(one, same) {
		t.Errorf("one seed gives %v and %v", one, same)
	}
	if slices.Equal(one, other) {
		t.Errorf("two seeds give the same %v", one)
	}
}

func TestSpreadOverACourseWithoutOutput(t *testing.T) {
	t.Parallel()
	silent := moment.Timeline{End: time.Second}
	for _, m := range silent.Spread(7, rand.New(rand.NewPCG(1, 0))) {
		if at := elapsed(t, silent, m); m.Lines != 0 || at > time.Second {
			t.Errorf("got %s", m)
		}
	}
}
