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
		{[]string{"mage", "test", "env:up"}, "mage test …"},
		{[]string{"mage", "login", "s3cret"}, "mage login …"},
		{[]string{"/x/e2e.test", "-token=s3cret", "a"}, "e2e.test …"},
		{[]string{"mage", "https://me:s3cret@host/"}, "mage …"},
		{[]string{strings.Repeat("é", 100), "up"}, strings.Repeat("é", 60) + "…"},
	}
	for _, test := range tests {
		if got := lock.Command(test.args); got != test.want {
			t.Errorf("%q: got %q, want %q", test.args, got, test.want)
		}
	}
}
