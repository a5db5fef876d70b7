package logs_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/kindenv/internal/logs"
)

func TestStreamResumes(t *testing.T) {
	t.Parallel()
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	slow := time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC) // earlier than any time here
	tests := []struct {
		name   string
		end    string // how the first stream ends: "fail", or empty for a plain end
		ended  bool   // what find says of the source afterwards
		again  time.Time
		resume bool
		since  time.Time // zero: when the first stream ended
		note   string
	}{
		{name: "still running", again: begun, resume: true},
		{name: "ended for good", again: begun, ended: true},
		{name: "new run", again: begun.Add(time.Hour), resume: true},
		{name: "a run that ended at once", again: begun.Add(time.Hour), ended: true, resume: true},
		{name: "new run, by a clock that is slow", again: slow, resume: true, since: slow},
		{name: "failed", end: "fail", again: begun, ended: true, resume: true, note: "a │ (magekind can't read this, trying again: connection lost)\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f, b, out := newFeed(), new(board), new(buffer)
				s := f.source("a")
				s.Started = begun
				b.set(nil, s)
				stop := start(t, b, out, logs.Options{})
				if since := <-f.sinces; !since.IsZero() {
					t.Errorf("the first stream got since %s, want none", since)
				}
				if test.end == "" {
					close(f.input)
				} else {
					f.say(test.end)
				}
				synctest.Wait()
				ended := time.Now()
				f.input = make(chan string)
				s.Started, s.Ended, s.Stream = test.again, test.ended, f.stream
				b.set(nil, s)
				time.Sleep(1500 * time.Millisecond)
				want := ended
				if !test.since.IsZero() {
					want = test.since
				}
				select {
				case since := <-f.sinces:
					if !test.resume || !since.Equal(want) {
						t.Errorf("streamed again since %s, want %v since %s", since, test.resume, want)
					}
				default:
					if test.resume {
						t.Error("not streamed again")
					}
				}
				_ = stop()
				check(t, out.String(), test.note)
			})
		})
	}
}

func TestStreamForgetsWhatIsGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, b, out := newFeed(), new(board), new(buffer)
		b.set(nil, f.source("a"))
		stop := start(t, b, out, logs.Options{})
		<-f.sinces
		f.say("fail")
		b.set(nil)
		time.Sleep(1500 * time.Millisecond)
		b.set(nil, f.source("a"))
		if since := <-f.sinces; !since.IsZero() {
			t.Errorf("got since %s for a source that returned, want its history", since)
		}
		_ = stop()
	})
}

func TestStreamTellsFailuresOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, out := new(board), new(buffer)
		broken := logs.Source{Name: "a", Stream: func(context.Context, time.Time, io.Writer) error { return errors.New("no shell") }}
		b.set(nil, broken)
		stop := start(t, b, out, logs.Options{})
		time.Sleep(5 * time.Second)
		b.set(errors.New("engine is away"))
		time.Sleep(5 * time.Second)
		b.set(nil)
		time.Sleep(5 * time.Second)
		b.set(errors.New("engine is away"))
		time.Sleep(5 * time.Second)
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		away := "magekind │ can't look for sources, trying again: engine is away\n"
		check(t, out.String(), "a │ (magekind can't read this, trying again: no shell)\n"+away+away)
	})
}

func TestStreamNeedsSources(t *testing.T) {
	t.Parallel()
	cause := errors.New("engine is away")
	b := new(board)
	b.set(cause)
	err := logs.Stream(t.Context(), b.find, io.Discard, logs.Options{})
	if !errors.Is(err, cause) {
		t.Errorf("got error %v, want one that wraps %v", err, cause)
	}
}
