package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/magekind/magekind/magefiles/check"
)

// Report is what a soak has done and found.
type Report struct {
	Seed   int       `json:"seed"`
	Began  time.Time `json:"began"`
	Phases []Result  `json:"phases"`
}

// Result is what a phase has done and found.
type Result struct {
	Name     string         `json:"name"`
	Passed   bool           `json:"passed"`
	Error    string         `json:"error,omitempty"`
	Seconds  float64        `json:"seconds"`
	Counts   map[string]int `json:"counts,omitempty"`   // what was done
	Failures []string       `json:"failures,omitempty"` // names of tests
}

// Run runs the phases one after the other, then prints a table of what they
// have done and found to out, and writes it as JSON to path.
func Run(ctx context.Context, out io.Writer, path string, seed int, phases ...check.Phase) error {
	report := Report{Seed: seed, Began: time.Now().Round(time.Second)}
	for i, phase := range phases {
		phases[i].Run = report.observe(phase)
	}
	err := check.Run(ctx, out, phases...)
	return errors.Join(err, report.writeTable(out), report.writeFile(path))
}

// observe is what the phase does, and puts a result into the report.
func (r *Report) observe(phase check.Phase) func(ctx context.Context, out io.Writer) error {
	return func(ctx context.Context, out io.Writer) error {
		var t tally
		start := time.Now()
		err := phase.Run(ctx, io.MultiWriter(out, &t))
		result := Result{
			Name: phase.Name, Passed: err == nil, Counts: t.counts, Failures: t.failures,
			Seconds: time.Since(start).Round(100 * time.Millisecond).Seconds(),
		}
		if err != nil {
			result.Error = err.Error()
		}
		r.Phases = append(r.Phases, result)
		return err
	}
}

func (r *Report) writeTable(out io.Writer) error {
	fmt.Fprintf(out, "\n== done and found, with the seed %d\n", r.Seed)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, phase := range r.Phases {
		found := "all well"
		switch {
		case !phase.Passed && len(phase.Failures) == 0:
			found = "FAILED: " + phase.Error
		case !phase.Passed:
			found = fmt.Sprintf("%d tests FAILED %s", len(phase.Failures), strings.Join(phase.Failures, " "))
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", phase.Name, phase.done(), found)
	}
	return table.Flush()
}

// done lists the counts.
func (r Result) done() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(r.Counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", r.Counts[name], name))
	}
	return strings.Join(parts, ", ")
}

func (r *Report) writeFile(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("writing the report %q: %w", path, err)
	}
	return nil
}
