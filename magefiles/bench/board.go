package bench

import (
	"fmt"
	"io"
	"time"
)

// pair holds the samples of one measurement.
type pair struct{ ours, rival []float64 }

// board collects samples.
type board struct {
	out     io.Writer
	samples map[string]*pair
}

// clock runs do and adds the seconds that it took.
func (b *board) clock(name, who string, do func() error) error {
	start := time.Now()
	if err := do(); err != nil {
		return fmt.Errorf("measuring %s: %w", name, err)
	}
	b.add(name, who, time.Since(start).Seconds())
	return nil
}

func (b *board) add(name, who string, value float64) {
	p := b.samples[name]
	if p == nil {
		p = new(pair)
		b.samples[name] = p
	}
	if who == "ours" {
		p.ours = append(p.ours, value)
	} else {
		p.rival = append(p.rival, value)
	}
	fmt.Fprintf(b.out, "%-8s %-6s %8.2f\n", name, who, value)
}
