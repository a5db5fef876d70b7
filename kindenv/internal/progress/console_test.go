package progress_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/kindenv/internal/progress"
)

func ExampleNew() {
	console := progress.New(os.Stdout, os.Getenv)
	step := console.Step("Waiting for nodes ⏳")
	step.Detail("2 of 3 nodes ready")
	step.Done(nil)
	console.Note("All is ready.")
	// Output:
	// • Waiting for nodes ⏳  ...
	//  ✓ Waiting for nodes ⏳
	// All is ready.
}

func TestPlain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newScreen(t)
		c := progress.New(b, nil)
		cluster := c.Step("cluster")
		images := c.Step("images\nof two lines")
		time.Sleep(29 * time.Second)
		images.Detail("pulling")
		synctest.Wait()
		silent := b.String()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		cluster.Done(nil)
		time.Sleep(30 * time.Second)
		synctest.Wait()
		c.Warn("careful")
		images.Done(errors.New("no space"))
		c.Note("the end")
		begin := " • cluster  ...\n • images of two lines  ...\n"
		if silent != begin {
			t.Errorf("got after 29 s:\n%s\nwant:\n%s", silent, begin)
		}
		want := begin + " • cluster  ... 30s\n • images of two lines  ... pulling 30s\n ✓ cluster\n" +
			" • images of two lines  ... pulling 1m0s\nWARNING: careful\n ✗ images of two lines\nthe end\n"
		if got := b.String(); got != want {
			t.Errorf("got:\n%s\nwant:\n%s", got, want)
		}
	})
}

func TestTimings(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := progress.New(nil, nil)
		first, second, open := c.Step("first"), c.Step("second"), c.Step("open")
		failure := errors.New("no space")
		time.Sleep(time.Second)
		second.Done(failure)
		time.Sleep(time.Second)
		first.Done(nil)
		want := []progress.Timing{{"first", 2 * time.Second, nil}, {"second", time.Second, failure}}
		if got := c.Timings(); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		c.Close(failure)
		want = append(want, progress.Timing{Title: "open", Elapsed: 2 * time.Second, Err: failure})
		if got := c.Timings(); !slices.Equal(got, want) {
			t.Errorf("after Close: got %v, want %v", got, want)
		}
		open.Done(nil)
		if got := c.Timings(); !slices.Equal(got, want) {
			t.Errorf("after Close and Done: got %v, want %v", got, want)
		}
	})
}

func TestParallelSteps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScreen(t)
		c := progress.NewTerminal(s)
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				for j := range 5 {
					step := c.Step(fmt.Sprintf("step %d.%d", i, j))
					time.Sleep(time.Duration(i*j) * 7 * time.Millisecond)
					step.Detail("half")
					c.Note(fmt.Sprintf("note %d.%d", i, j))
					step.Done(nil)
				}
			})
		}
		all.Wait()
		got := strings.Split(strings.TrimSpace(s.String()), "\n")
		var want []string
		for i := range 20 {
			for j := range 5 {
				want = append(want, fmt.Sprintf("note %d.%d", i, j), fmt.Sprintf(" ✓ step %d.%d", i, j))
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}
