package bench

import (
	"os"
	"strings"
	"testing"
)

func TestMeasured(t *testing.T) {
	t.Parallel()
	out, peak, err := measured(t.Context(), "", nil, "text", "sh", "-c", "cat; sleep 0.1")
	if err != nil || out != "text" || peak <= 0 {
		t.Errorf("measured() = %q, %d, %v; want the text and some memory", out, peak, err)
	}
	if _, err := command(t.Context(), "", nil, "", "sh", "-c", "echo why >&2; exit 3"); err == nil || !strings.Contains(err.Error(), "why") {
		t.Errorf("command() = %v; want an error with what was printed", err)
	}
}

func TestReadHighWaterOfAProcessOfItsOwn(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("no proc file system here")
	}
	if got := readHighWater(os.Getpid()); got < 1<<20 {
		t.Errorf("readHighWater(self) = %d; want more than a mebibyte", got)
	}
	if got := readHighWater(-1); got != 0 {
		t.Errorf("readHighWater(-1) = %d; want 0", got)
	}
}
