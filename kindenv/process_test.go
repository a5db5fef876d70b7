package kindenv_test

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv"
)

// process is a command in a process of its own, in the same world.
type process struct {
	*kindenv.Environment
	w     *world
	out   *output
	ended chan error
}

// process returns one that works on environment "x", or what change says.
func (w *world) process(change ...func(*kindenv.Config)) *process {
	w.t.Helper()
	own, out := *w.World, &output{}
	own.Env, own.Opened = maps.Clone(w.Env), nil
	cfg := kindenv.Config{Name: "x", Dir: w.project, NodeImage: nodeImage, Out: out}
	for _, f := range change {
		f(&cfg)
	}
	env, err := kindenv.NewIn(&own, cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	return &process{Environment: env, w: w, out: out, ended: make(chan error, 1)}
}

// begin begins a command.
func (p *process) begin(ctx context.Context, command func(context.Context) error) {
	go func() { p.ended <- command(ctx) }()
}

// says waits until the process has said something.
func (p *process) says(text string) {
	p.w.t.Helper()
	for !strings.Contains(p.out.String(), text) {
		select {
		case err := <-p.ended:
			p.w.t.Fatalf("it ended (%v) and did not say %q:\n%s", err, text, p.out)
		case <-time.After(time.Millisecond):
		}
	}
}

// succeeds waits until the command has succeeded.
func (p *process) succeeds() {
	p.w.t.Helper()
	if err := <-p.ended; err != nil {
		p.w.t.Fatalf("%v\n%s", err, p.out)
	}
}

func named(name string) func(*kindenv.Config) {
	return func(cfg *kindenv.Config) { cfg.Name = name }
}

// until waits for a condition.
func until(t *testing.T, holds func() bool) {
	t.Helper()
	for !holds() {
		if t.Context().Err() != nil {
			t.Fatal("the test is over")
		}
		time.Sleep(time.Millisecond)
	}
}
