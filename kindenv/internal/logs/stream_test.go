package logs_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/kindenv/internal/logs"
)

func TestStreamPrefixesLines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		short, long := newFeed(), newFeed()
		b, out := new(board), new(buffer)
		b.set(nil, short.source("a"), long.source("a-proxy"))
		stop := start(t, b, out, logs.Options{})
		short.say("2026-01-02T03:04:05Z one\r\ntwo\npar")
		long.say("x\n")
		short.say("tial\n\nlast")
		if err := stop(); err != nil {
			t.Fatalf("got error %v, want none: the end is what was asked for", err)
		}
		check(t, out.String(), ""+
			"a       │ 2026-01-02T03:04:05Z one\n"+
			"a       │ two\n"+
			"a-proxy │ x\n"+
			"a       │ partial\n"+
			"a       │ \n"+
			"a       │ last\n")
	})
}

func TestStreamColours(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first, second := newFeed(), newFeed()
		b, out := new(board), new(buffer)
		b.set(nil, first.source("a"), second.source("b"))
		stop := start(t, b, out, logs.Options{Colour: true})
		first.say("x\n")
		second.say("y\n")
		_ = stop()
		check(t, out.String(), "\x1b[36ma │\x1b[0m x\n\x1b[33mb │\x1b[0m y\n")
	})
}

func TestStreamFollowsNewSources(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first, later := newFeed(), newFeed()
		b, out := new(board), new(buffer)
		b.set(nil, first.source("a"))
		stop := start(t, b, out, logs.Options{Poll: 3 * time.Second})
		first.say("1\n")
		b.set(nil, first.source("a"), later.source("later"))
		begin := time.Now()
		later.say("2\n")
		if got, want := time.Since(begin), 3*time.Second; got != want {
			t.Errorf("found after %s, want %s", got, want)
		}
		first.say("3\n")
		_ = stop()
		check(t, out.String(), "a │ 1\nlater │ 2\na     │ 3\n")
	})
}
