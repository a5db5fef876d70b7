package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	m, said := world{}.maker(t)
	if err := os.MkdirAll(m.run, 0o700); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	instances, watches := filepath.Join(dir, "max_user_instances"), filepath.Join(dir, "max_user_watches")
	write(t, instances, "128\n")
	write(t, watches, "1000000\n")
	assert := func(when string, want int) {
		t.Helper()
		if got, err := readLimit(instances); err != nil || got != want {
			t.Errorf("%s: %d instances (%v), want %d", when, got, err, want)
		}
		if got, err := readLimit(watches); err != nil || got != 1000000 {
			t.Errorf("%s: %d watches (%v), want the higher limit kept", when, got, err)
		}
	}
	for range 2 { // the record survives a second start
		if err := m.raiseLimits(dir); err != nil {
			t.Fatal(err)
		}
		assert("raised", 512)
	}
	if n := strings.Count(said.String(), "from 128 to 512"); n != 1 {
		t.Errorf("said so %d times, want once: %s", n, said)
	}
	if err := m.restoreLimits(dir); err != nil {
		t.Fatal(err)
	}
	assert("restored", 128)

	write(t, instances, "2048\n") // somebody else's value
	if err := m.restoreLimits(dir); err != nil {
		t.Fatal(err)
	}
	assert("changed by somebody else", 2048)
}

func TestLimitsThatCannotBeRaised(t *testing.T) {
	t.Parallel()
	m, _ := world{}.maker(t)
	if err := os.MkdirAll(m.run, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := m.raiseLimits(t.TempDir()); err != nil {
		t.Errorf("a host without these limits: %v", err)
	}
	write(t, m.limits(), "{")
	if err := m.restoreLimits(t.TempDir()); err == nil {
		t.Error("a broken record is no error")
	}
}
