package bench

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

func TestSummarize(t *testing.T) {
	t.Parallel()
	tests := []struct {
		values           []float64
		median, min, max float64
	}{
		{[]float64{3}, 3, 3, 3},
		{[]float64{5, 1, 3}, 3, 1, 5},
		{[]float64{4, 1, 3, 100}, 3.5, 1, 100},
	}
	for _, tt := range tests {
		got := summarize(tt.values)
		if got.Median != tt.median || got.Min != tt.min || got.Max != tt.max {
			t.Errorf("summarize(%v) = %+v; want %v, %v, %v", tt.values, got, tt.median, tt.min, tt.max)
		}
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	b := board{out: io.Discard, samples: map[string]*pair{}}
	for _, v := range []float64{2, 1, 3} {
		b.add("cold", "ours", v)
		b.add("cold", "rival", 2*v)
		b.add("memory", "ours", 140)
		b.add("memory", "rival", 100)
	}
	report := b.report(3)
	var table, encoded strings.Builder
	if err := report.WriteTable(&table); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"cold (s)", "2.00", "1.00–3.00", "0.50", "memory (MiB)", "1.40", "not met"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, table.String())
		}
	}
	if err := report.WriteJSON(&encoded); err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal([]byte(encoded.String()), &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Comparisons) != 2 || back.Comparisons[0].Ratio != 0.5 || !back.Comparisons[0].Met || back.Comparisons[1].Met {
		t.Errorf("the report read back = %+v", back)
	}
}
