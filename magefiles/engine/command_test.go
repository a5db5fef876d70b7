package engine

import (
	"os/exec"
	"strings"
	"testing"
)

func TestOutput(t *testing.T) {
	t.Parallel()
	sh := func(script string) (string, error) {
		return output(exec.CommandContext(t.Context(), "sh", "-c", script))
	}
	if got, err := sh("echo said; echo noise >&2"); err != nil || got != "said" {
		t.Errorf("got %q, %v", got, err)
	}
	for script, want := range map[string]string{
		"echo why >&2; exit 3":                  "exit status 3: why",
		"echo usage >&2; echo answer; exit 126": "exit status 126: usage\nanswer",
		"exit 1":                                "exit status 1",
	} {
		if _, err := sh(script); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: got %v, want an error that ends with %q", script, err, want)
		}
	}
	if _, err := sh("seq 1000 >&2; exit 1"); err == nil || strings.Contains(err.Error(), "\n16\n") {
		t.Errorf("got %v, want an error with the first lines", err)
	}
	if _, err := output(exec.CommandContext(t.Context(), "no-such-program-here")); err == nil {
		t.Error("a missing program is no error")
	}
}
