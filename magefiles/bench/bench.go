package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/magekind/magekind/magefiles/local"
)

// Options say what to compare.
type Options struct {
	// Root is the working tree of this module.
	Root string
	// Images are used by both sides; empty fields stand for upstream's.
	Images local.Images
	// Rounds is how often each side has its turn; at least 1.
	Rounds int
	// Skip names measurements to leave out: "clusters" for those that make
	// clusters, "compile" for the one that does not.
	Skip string
	// Out gets progress as it comes.
	Out io.Writer
}

// side is one of the two that are compared. Its steps are run in this order,
// over and over.
type side interface {
	// cold makes a cluster from nothing until its load balancer answers, and
	// returns the peak memory of the process that made it, in bytes.
	cold(ctx context.Context) (peak int64, err error)
	// noop does what one does to be sure that the cluster is ready.
	noop(ctx context.Context) error
	// down removes everything that cold made.
	down(ctx context.Context) error
	// compile builds the side's magefile with an empty build cache.
	compile(ctx context.Context) error
}

// Run measures both sides, taking turns, and returns the five comparisons.
func Run(ctx context.Context, opts Options) (Report, error) {
	if opts.Rounds < 1 {
		return Report{}, fmt.Errorf("rounds %d: give at least 1", opts.Rounds)
	}
	dir, err := os.MkdirTemp("", "magekind-bench-")
	if err != nil {
		return Report{}, fmt.Errorf("making a folder for the benchmark: %w", err)
	}
	defer os.RemoveAll(dir)
	ours, rival, err := sides(ctx, opts, dir)
	if err != nil {
		return Report{}, err
	}
	b := board{out: opts.Out, samples: map[string]*pair{}}
	for round := range opts.Rounds {
		turns := []turn{{"ours", ours}, {"rival", rival}}
		if round%2 == 1 {
			turns[0], turns[1] = turns[1], turns[0]
		}
		for _, t := range turns {
			fmt.Fprintf(opts.Out, "== round %d of %d: %s\n", round+1, opts.Rounds, t.name)
			if err := b.play(ctx, opts, t); err != nil {
				return Report{}, fmt.Errorf("round %d, %s: %w", round+1, t.name, err)
			}
		}
	}
	return b.report(opts.Rounds), nil
}

type turn struct {
	name string
	side side
}

// play takes one turn. A cluster does not outlive it, whatever happens.
func (b *board) play(ctx context.Context, opts Options, t turn) error {
	if opts.Skip != "compile" {
		if err := b.clock("compile", t.name, func() error { return t.side.compile(ctx) }); err != nil {
			return err
		}
	}
	if opts.Skip == "clusters" {
		return nil
	}
	err := b.clusterTurn(ctx, t)
	if err != nil {
		err = errors.Join(err, t.side.down(context.WithoutCancel(ctx)))
	}
	return err
}

// noops is how often noop is measured in one turn: it takes a fraction of a
// second, so that one sample says little.
const noops = 5

func (b *board) clusterTurn(ctx context.Context, t turn) error {
	err := b.clock("cold", t.name, func() error {
		peak, err := t.side.cold(ctx)
		b.add("memory", t.name, float64(peak)/(1<<20))
		return err
	})
	if err != nil {
		return err
	}
	for range noops {
		if err := b.clock("noop", t.name, func() error { return t.side.noop(ctx) }); err != nil {
			return err
		}
	}
	return b.clock("down", t.name, func() error { return t.side.down(ctx) })
}
