package progress_test

import (
	"os"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/progress"
)

func TestIsTerminalOnATerminal(t *testing.T) {
	t.Parallel()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminal to be had: %v", err)
	}
	defer terminal.Close()
	if !progress.IsTerminal(terminal, nil) {
		t.Error("a terminal does not count as one")
	}
	noColour := func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] }
	if progress.IsTerminal(terminal, noColour) {
		t.Error("NO_COLOR does not count")
	}
}
