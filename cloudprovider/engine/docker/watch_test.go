package docker_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// follow reads a stream under watch until it ends, is cut, or an hour has passed.
func follow(t *testing.T, limit time.Duration, ping func(context.Context) error, write func(io.Writer)) (lasted time.Duration, err error) {
	t.Helper()
	began := time.Now()
	reader, writer := io.Pipe()
	written := make(chan struct{})
	go func() {
		defer close(written)
		write(writer)
		writer.Close()
	}()
	err = docker.Watched(t.Context(), limit, ping, reader)
	lasted = time.Since(began)
	<-written
	return lasted, err
}

func answers(context.Context) error { return nil }

// silent is an engine that takes a ping and does not answer.
func silent(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }

func speaks(every time.Duration, times int) func(io.Writer) {
	return func(w io.Writer) {
		for range times {
			time.Sleep(every)
			_, _ = io.WriteString(w, "x")
		}
	}
}

func TestStreamsUnderWatch(t *testing.T) {
	t.Parallel()
	const question, limit = 30 * time.Second, 10 * time.Minute
	for name, c := range map[string]struct {
		limit time.Duration
		ping  func(context.Context) error
		write func(io.Writer)
		lasts time.Duration // at least, and a question longer at most
		cut   bool
	}{
		"slow, and the engine answers":         {limit, answers, speaks(limit-time.Second, 9), 9 * (limit - time.Second), false},
		"steady, and pings aren't needed":      {limit, silent, speaks(question/2, 50), 25 * question, false},
		"silent, as it may be":                 {0, answers, speaks(time.Hour, 1), time.Hour, false},
		"silent for too long":                  {limit, answers, speaks(time.Hour, 1), limit, true},
		"silent, since the engine hangs":       {0, silent, speaks(time.Hour, 1), 2 * question, true},
		"hangs after a while":                  {limit, silent, func(w io.Writer) { speaks(question/2, 9)(w); time.Sleep(time.Hour) }, 5 * question, true},
		"the engine went and the stream hangs": {0, func(context.Context) error { return io.ErrUnexpectedEOF }, speaks(time.Hour, 1), question, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				lasted, err := follow(t, c.limit, c.ping, c.write)
				if lasted < c.lasts || lasted > c.lasts+2*question {
					t.Errorf("it lasted %s, want %s", lasted, c.lasts)
				}
				if c.cut != errors.Is(err, engine.ErrUnavailable) || (err != nil) != c.cut {
					t.Errorf("got %v, want that it is cut: %v", err, c.cut)
				}
			})
		})
	}
}
