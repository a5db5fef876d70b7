package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Phase is one part of a check.
type Phase struct {
	// Name is the heading, and what a failure is called at the end.
	Name string
	// Run does the work and writes what it finds to out.
	Run func(ctx context.Context, out io.Writer) error
	// Needs names phases that must have passed; otherwise this one is skipped,
	// and the check has failed anyhow.
	Needs []string
}

type result struct {
	name    string
	elapsed time.Duration
	err     error
}

var errSkipped = errors.New("skipped")

// Run runs every phase in order, also after one has failed, so that one run
// shows everything there is to mend. The error names the phases that failed.
// It closes with the lines in which `go test` reported its packages, and a
// line per phase.
func Run(ctx context.Context, out io.Writer, phases ...Phase) error {
	var lines reportLines
	results := make([]result, 0, len(phases))
	for _, phase := range phases {
		fmt.Fprintf(out, "\n== %s\n", phase.Name)
		start := time.Now()
		err := blocked(phase, results)
		if err == nil && ctx.Err() == nil {
			err = phase.Run(ctx, io.MultiWriter(out, &lines))
		}
		if err == nil {
			err = ctx.Err()
		}
		results = append(results, result{phase.Name, time.Since(start), err})
		if err != nil {
			fmt.Fprintf(out, "%s: %v\n", phase.Name, err)
		}
		fmt.Fprintf(out, "-- %s: %s in %s\n", phase.Name, verdict(err), seconds(time.Since(start)))
	}
	lines.writeTo(out)
	return closing(out, results)
}

// blocked says whether a phase that this one needs did not pass.
func blocked(phase Phase, results []result) error {
	for _, need := range phase.Needs {
		for _, r := range results {
			if r.name == need && r.err != nil {
				return fmt.Errorf("%w, because %q did not pass", errSkipped, need)
			}
		}
	}
	return nil
}

func closing(out io.Writer, results []result) error {
	fmt.Fprintln(out, "\n== result")
	var failed []string
	var total time.Duration
	for _, r := range results {
		total += r.elapsed
		fmt.Fprintf(out, "%-8s %8s  %s\n", verdict(r.err), seconds(r.elapsed), r.name)
		if r.err != nil {
			failed = append(failed, r.name)
		}
	}
	fmt.Fprintf(out, "%-8s %8s\n", "total", seconds(total))
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d phases did not pass: %s", len(failed), len(results), strings.Join(failed, ", "))
	}
	return nil
}

func verdict(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, errSkipped):
		return "skipped"
	}
	return "FAILED"
}

func seconds(d time.Duration) string { return d.Round(100 * time.Millisecond).String() }
