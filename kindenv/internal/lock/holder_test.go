package lock_test

import (
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/lock"
)

func TestCommand(t *testing.T) {
	t.Parallel()
	const hash = "/root/.magefile/da39a3ee5e6b4b0d3255bfef95601890afd80709"
	tests := []struct {
		args []string
		want string
	}{
		{nil, "?"},
		{[]string{"/usr/bin/mage", "env:up"}, "mage env:up"},
		{[]string{hash, "env:up"}, "mage env:up"},
		{[]string{hash + ".exe", "env:up"}, "mage env:up"},
		{[]string{"/bin/cafe"}, "cafe"},
		{[]string{"mage", strings.Repeat("é", 100)}, "mage " + strings.Repeat("é", 57) + "…"},
	}
	for _, test := range tests {
		if got := lock.Command(test.args); got != test.want {
			t.Errorf("%q: got %q, want %q", test.args, got, test.want)
		}
	}
}
