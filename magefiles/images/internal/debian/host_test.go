package debian

import (
	"strings"
	"testing"
)

func TestNothingMissing(t *testing.T) {
	t.Parallel()
	present := []Tool{{Package: "a", Path: "sh"}, {Package: "b", Path: "/bin/s?"}}
	if got := Missing(present...); len(got) != 0 {
		t.Errorf("missing: %q, want nothing", got)
	}
	if err := Install(t.Context(), present...); err != nil {
		t.Error(err)
	}
}

func TestNoPackageManager(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := Install(t.Context(), Tool{Package: "a", Path: "/nowhere/a"}, Tool{Package: "b", Path: "no-such-command"})
	if err == nil || !strings.Contains(err.Error(), "a, b") || !strings.Contains(err.Error(), "no apt-get here") {
		t.Errorf("got %v, want the packages and why they cannot be installed", err)
	}
}
