package bench

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// Report is what the benchmark found.
type Report struct {
	Rounds      int          `json:"rounds"`
	Comparisons []Comparison `json:"comparisons"`
}

// Comparison is one measurement of both sides.
type Comparison struct {
	Name  string  `json:"name"`
	What  string  `json:"what"`
	Unit  string  `json:"unit"` // "s" or "MiB"
	Ours  Samples `json:"ours"`
	Rival Samples `json:"rival"`
	Ratio float64 `json:"ratio"` // of the medians, ours to the rival's
	Goal  float64 `json:"goal"`  // the highest ratio that is good enough
	Met   bool    `json:"met"`
}

// Samples are the values of one side and what sums them up.
type Samples struct {
	Values []float64 `json:"values"`
	Median float64   `json:"median"`
	Min    float64   `json:"min"`
	Max    float64   `json:"max"`
}

// kinds are the measurements, in the order of the report.
func kinds() []Comparison {
	return []Comparison{
		{Name: "cold", Unit: "s", Goal: 1, What: "from nothing until a load balancer answers, for ours also until DNS is up; kind, docker and kubectl one after the other"},
		{Name: "noop", Unit: "s", Goal: 1, What: "on a ready environment; kind get clusters, kubectl get nodes, readyz"},
		{Name: "down", Unit: "s", Goal: 1, What: "removing everything; kind delete cluster, docker rm by label"},
		{Name: "compile", Unit: "s", Goal: 1.15, What: "a consumer's magefile, empty build cache; one that imports kind and the docker client only"},
		{Name: "memory", Unit: "MiB", Goal: 1.3, What: "peak resident memory of the process during up; of kind's during create"},
	}
}

func (b *board) report(rounds int) Report {
	report := Report{Rounds: rounds}
	for _, c := range kinds() {
		p := b.samples[c.Name]
		if p == nil || len(p.ours) == 0 || len(p.rival) == 0 {
			continue
		}
		c.Ours, c.Rival = summarize(p.ours), summarize(p.rival)
		c.Ratio = c.Ours.Median / c.Rival.Median
		c.Met = c.Ratio <= c.Goal
		report.Comparisons = append(report.Comparisons, c)
	}
	return report
}

// summarize wants at least one value.
func summarize(values []float64) Samples {
	sorted := slices.SortedFunc(slices.Values(values), cmp.Compare[float64])
	n := len(sorted)
	median := sorted[n/2]
	if n%2 == 0 {
		median = (sorted[n/2-1] + sorted[n/2]) / 2
	}
	return Samples{Values: values, Median: median, Min: sorted[0], Max: sorted[n-1]}
}

// WriteTable prints the report for people.
func (r Report) WriteTable(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "measured\tours\tspread\trival\tspread\tratio\tgoal\t")
	for _, c := range r.Comparisons {
		verdict := "met"
		if !c.Met {
			verdict = "not met"
		}
		fmt.Fprintf(table, "%s (%s)\t%.2f\t%.2f–%.2f\t%.2f\t%.2f–%.2f\t%.2f\t≤ %.2f\t%s\n", c.Name, c.Unit,
			c.Ours.Median, c.Ours.Min, c.Ours.Max, c.Rival.Median, c.Rival.Min, c.Rival.Max, c.Ratio, c.Goal, verdict)
	}
	fmt.Fprintln(table)
	for _, c := range r.Comparisons {
		fmt.Fprintf(table, "%s\t%s\n", c.Name, c.What)
	}
	return table.Flush()
}

// WriteJSON prints the report for programs.
func (r Report) WriteJSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}
