//go:build linux

package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAbsentCapabilities(t *testing.T) {
	t.Parallel()
	for bounding, want := range map[string]string{
		"000001ffffffffff": "",
		"0000ffffffffffff": "", // a kernel with capabilities that the list doesn't know
		"000001fffeffffff": "CAP_SYS_RESOURCE",
		"000000ffffffffff": "CAP_CHECKPOINT_RESTORE",
		"000001fffffffffe": "CAP_CHOWN",
		"000001ffffdfefff": "CAP_NET_ADMIN CAP_SYS_ADMIN",
	} {
		path := filepath.Join(t.TempDir(), "status")
		if err := os.WriteFile(path, []byte("Name:\tdockerd\nCapPrm:\t0\nCapBnd:\t"+bounding+"\nCapAmb:\t0\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		absent, err := absentCapabilities(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(absent)), " "); got != want {
			t.Errorf("%s: got %q absent, want %q", bounding, got, want)
		}
	}
}

func TestAbsentCapabilitiesRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"none": "Name:\tx\n", "malformed": "CapBnd:\tzz\n"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := absentCapabilities(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got error %v, want one that names the file", name, err)
		}
	}
	if _, err := absentCapabilities(filepath.Join(dir, "missing")); err == nil {
		t.Error("a missing file is no error")
	}
}

func TestOwnBoundingSetIsRead(t *testing.T) {
	t.Parallel()
	if _, err := absentCapabilities("/proc/self/status"); err != nil {
		t.Error(err)
	}
}
