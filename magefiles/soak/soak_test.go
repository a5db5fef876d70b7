package soak_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/magekind/magekind/magefiles/check"
	"github.com/magekind/magekind/magefiles/soak"
)

// says is a phase that prints and ends with err.
func says(name, text string, err error) check.Phase {
	return check.Phase{Name: name, Run: func(_ context.Context, out io.Writer) error {
		fmt.Fprint(out, text[:len(text)/2])
		fmt.Fprint(out, text[len(text)/2:])
		return err
	}}
}

func TestRunReportsWhatWasDoneAndFound(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "out", "soak.json")
	var out strings.Builder
	err := soak.Run(t.Context(), &out, path, 7,
		says("kills", "=== ATTR  TestKilled/a kills-of-env:up 1\n    log: kills-of-env:up 5\n=== ATTR  TestKilled/b kills-of-env:up 1\n"+
			"=== ATTR  TestKilled/b colour red\n    sweep_test.go:77: 30 faults, of which 20 were survived\n    sweep_test.go:77: 3 faults, of which 2 were survived\n--- FAIL: TestKilled (1.00s)\n    --- FAIL: TestKilled/b (0.50s)\n", errors.New("exit status 1")),
		says("faults", "signal: terminated\n", errors.New("exit status 2")),
		says("fuzzing", "fuzz: elapsed: 0s, gathering baseline coverage: 0/3 completed\nfuzz: elapsed: 3s, execs: 100 (33/sec)\nfuzz: elapsed: 5s, execs: 250 (30/sec)\nPASS\nok  \ta\t5s\n"+
			"fuzz: elapsed: 3s, execs: 50 (10/sec)\n--- FAIL: FuzzB (3.00s)\nFAIL\nexit status 1\nFAIL\tb\t3s\nFAIL\n", nil),
	)
	if err == nil || !strings.Contains(err.Error(), "kills") {
		t.Errorf("Run = %v, want an error that names the phase", err)
	}
	for _, want := range []string{"seed 7", "2 kills of env:up", "2 tests FAILED TestKilled TestKilled/b", "300 fuzz executions, 2 fuzz targets, 1 tests", "FAILED: exit status 2", "all well"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, out.String())
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var report soak.Report
	if err := json.Unmarshal(text, &report); err != nil || len(report.Phases) != 3 || report.Seed != 7 || report.Began.IsZero() {
		t.Fatalf("the file has %v, %v", report, err)
	}
	got := report.Phases[0]
	got.Seconds = 0
	want := soak.Result{
		Name: "kills", Error: "exit status 1", Counts: map[string]int{"kills of env:up": 2, "tests": 1, "faults": 33, "faults that the command survived": 22},
		Failures: []string{"TestKilled", "TestKilled/b"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got the result %+v, want %+v", got, want)
	}
}

func TestPhases(t *testing.T) {
	t.Parallel()
	options := soak.Options{Needs: "images", Rounds: 1, Env: func() []string { return nil }}
	all, err := soak.Phases(options)
	if err != nil || len(all) < 3 {
		t.Fatalf("got %d phases, %v", len(all), err)
	}
	for _, phase := range all {
		if phase.Name != "fuzzing" && (len(phase.Needs) != 1 || phase.Needs[0] != "images") {
			t.Errorf("%q needs %q, want the images", phase.Name, phase.Needs)
		}
	}
	options.Only = "kills"
	if some, err := soak.Phases(options); err != nil || len(some) != 1 || !strings.HasPrefix(some[0].Name, "kills") {
		t.Errorf("only kills: got %d phases, %v", len(some), err)
	}
	options.Only = "none such"
	if _, err := soak.Phases(options); err == nil || !strings.Contains(err.Error(), `"none such"`) || !strings.Contains(err.Error(), `"fuzzing"`) {
		t.Errorf("got %v, want an error that says what there is", err)
	}
	options.Rounds = 0
	if _, err := soak.Phases(options); err == nil || !strings.Contains(err.Error(), "rounds 0") {
		t.Errorf("got %v, want an error that names the rounds", err)
	}
}
