package logs

import (
	"context"
	"time"
)

// self is the name in front of lines of our own.
const self = "magekind"

// look finds sources again. What it can't find now it may the next time.
func (f *follower) look(ctx context.Context, find func(context.Context) ([]Source, error)) {
	sources, err := find(ctx)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		if f.trouble != err.Error() {
			f.printer.line(self, "can't look for sources, trying again: "+err.Error())
		}
		f.trouble = err.Error()
		return
	}
	f.trouble = ""
	f.begin(ctx, sources)
	f.forget(sources)
}

// begin starts to read the sources that are new or came back.
func (f *follower) begin(ctx context.Context, sources []Source) {
	for _, s := range sources {
		f.printer.reserve(s.Name)
	}
	for _, s := range sources {
		known := f.states[s.id()]
		switch {
		case known == nil:
			f.read(ctx, s, &state{}, time.Time{})
		case known.active:
		case !s.Started.Equal(known.source.Started):
			f.read(ctx, s, known, earlier(s.Started, known.since))
		case !s.Ended || known.trouble != "":
			f.read(ctx, s, known, known.since)
		}
	}
}

// earlier is where a new run's lines are sure to begin: its start may be noted
// after its first lines, and the end of the last one's be by another clock.
func earlier(started, ended time.Time) time.Time {
	if ended.Before(started) {
		return ended
	}
	return started
}

func (f *follower) read(ctx context.Context, s Source, st *state, since time.Time) {
	st.source, st.active = s, true
	f.states[s.id()] = st
	f.running.Go(func() {
		out := &lines{name: s.Name, printer: f.printer, stopped: ctx.Err}
		err := s.Stream(ctx, since, out)
		at := time.Now()
		out.finish()
		select {
		case f.ended <- end{s.id(), at, err}:
		case <-ctx.Done():
		}
	})
}

// note keeps account of a source that ended, and tells why if it failed.
func (f *follower) note(e end) {
	st := f.states[e.id]
	st.active, st.since = false, e.at
	before := st.trouble
	st.trouble = ""
	if e.err != nil {
		st.trouble = e.err.Error()
	}
	if st.trouble != "" && st.trouble != before {
		f.printer.line(st.source.Name, "("+self+" can't read this, trying again: "+st.trouble+")")
	}
}

// forget drops what ended and is gone, so that it begins anew if it returns.
func (f *follower) forget(sources []Source) {
	there := map[string]bool{}
	for _, s := range sources {
		there[s.id()] = true
	}
	for id, st := range f.states {
		if !st.active && !there[id] {
			delete(f.states, id)
		}
	}
}
