package check_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/magekind/magekind/magefiles/check"
)

func phase(name, prints string, err error, needs ...string) check.Phase {
	return check.Phase{Name: name, Needs: needs, Run: func(_ context.Context, out io.Writer) error {
		fmt.Fprint(out, prints)
		return err
	}}
}

func TestRunNamesWhatFailed(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	err := check.Run(t.Context(), &out,
		phase("first", "", errors.New("boom")),
		phase("second", "fine\n", nil),
		phase("third", "never\n", nil, "first"),
	)
	if want := "2 of 3 phases did not pass: first, third"; err == nil || err.Error() != want {
		t.Errorf("Run() = %v; want %q", err, want)
	}
	for _, want := range []string{"== first", "first: boom", "fine", "because \"first\" did not pass", "\nFAILED", "\nskipped", "\nok"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "never") {
		t.Errorf("a phase ran although the one it needs failed:\n%s", out.String())
	}
}

func TestRunRepeatsGoTestsLines(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	lines := "=== RUN   TestX\n    --- FAIL: TestX/case (0.00s)\nok  \texample.test/a\t0.1s\nsome log\nFAIL\texample.test/b\t0.2s\n"
	if err := check.Run(t.Context(), &out, phase("tests", lines, nil)); err != nil {
		t.Fatal(err)
	}
	_, end, found := strings.Cut(out.String(), "== go test, package by package\n")
	want := "    --- FAIL: TestX/case (0.00s)\nok  \texample.test/a\t0.1s\nFAIL\texample.test/b\t0.2s\n\n== result\n"
	if !found || !strings.HasPrefix(end, want) {
		t.Errorf("the end reads %q; want it to start with %q", end, want)
	}
}

func TestRunCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	stop := check.Phase{Name: "stop", Run: func(context.Context, io.Writer) error { cancel(); return nil }}
	var out strings.Builder
	err := check.Run(ctx, &out, stop, phase("after", "never\n", nil))
	if err == nil || !strings.Contains(err.Error(), "stop, after") {
		t.Errorf("Run() = %v; want both phases named", err)
	}
	if strings.Contains(out.String(), "never") {
		t.Error("a phase ran after the cancel")
	}
}
