package enginetest

import (
	"context"
	"io"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// Around returns eng as an engine that fails as f says. It has the capabilities
// that eng has, and a Close, which closes eng where that can be closed.
func (f *Faults) Around(eng engine.Engine) engine.Engine {
	c := faulty{f, eng}
	streamer, streams := eng.(engine.LogStreamer)
	pauser, pauses := eng.(engine.Pauser)
	execer, execs := eng.(engine.Execer)
	s, p, x := faultyStreamer{f, streamer}, faultyPauser{f, pauser}, faultyExecer{f, execer}
	switch {
	case streams && pauses && execs:
		return struct {
			faulty
			faultyStreamer
			faultyPauser
			faultyExecer
		}{c, s, p, x}
	case streams && execs:
		return struct {
			faulty
			faultyStreamer
			faultyExecer
		}{c, s, x}
	case streams && pauses:
		return struct {
			faulty
			faultyStreamer
			faultyPauser
		}{c, s, p}
	case pauses && execs:
		return struct {
			faulty
			faultyPauser
			faultyExecer
		}{c, p, x}
	case streams:
		return struct {
			faulty
			faultyStreamer
		}{c, s}
	case pauses:
		return struct {
			faulty
			faultyPauser
		}{c, p}
	case execs:
		return struct {
			faulty
			faultyExecer
		}{c, x}
	}
	return c
}

type faultyStreamer struct {
	faults   *Faults
	streamer engine.LogStreamer
}

func (e faultyStreamer) Logs(ctx context.Context, id string, opts engine.LogOptions, out io.Writer) error {
	return e.faults.Call(ctx, "Logs", id, func() error { return e.streamer.Logs(ctx, id, opts, out) })
}

type faultyPauser struct {
	faults *Faults
	pauser engine.Pauser
}

func (e faultyPauser) Pause(ctx context.Context, id string) error {
	return e.faults.Call(ctx, "Pause", id, func() error { return e.pauser.Pause(ctx, id) })
}

func (e faultyPauser) Unpause(ctx context.Context, id string) error {
	return e.faults.Call(ctx, "Unpause", id, func() error { return e.pauser.Unpause(ctx, id) })
}

type faultyExecer struct {
	faults *Faults
	execer engine.Execer
}

func (e faultyExecer) Exec(ctx context.Context, id string, command []string, out io.Writer) (code int, err error) {
	argument := e.faults.knownAs(id) + " " + strings.Join(command, " ")
	err = e.faults.Call(ctx, "Exec", argument, func() error {
		code, err = e.execer.Exec(ctx, id, command, out)
		return err
	})
	if err != nil {
		return 0, err
	}
	return code, nil
}
