package engine

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestRemoveAgain: what the first removal could not take away, the next one finds.
func TestRemoveAgain(t *testing.T) {
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("only root on Linux removes an engine")
	}
	programs, asked := t.TempDir(), filepath.Join(t.TempDir(), "asked")
	write := func(name, script string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(programs, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	opts := Options{Dir: filepath.Join(t.TempDir(), "engine"), RunDir: t.TempDir()}
	if err := os.MkdirAll(filepath.Join(opts.Dir, "programs"), 0o755); err != nil {
		t.Fatal(err)
	}
	l, err := newLayout(opts.Dir, opts.RunDir)
	if err != nil {
		t.Fatal(err)
	}
	write("iptables-save", `echo '*filter'; echo "-A FORWARD -o `+l.bridge()+` -j DOCKER"`)
	write("iptables", `echo "another program holds the lock" >&2; exit 4`)
	write("ip6tables-save", "exit 1")
	t.Setenv("PATH", programs+":"+os.Getenv("PATH"))
	if err := Remove(t.Context(), opts); err == nil || !strings.Contains(err.Error(), "holds the lock") {
		t.Fatalf("got %v, want why the rules are still there", err)
	}
	write("iptables", `echo "$*" >`+asked)
	if err := Remove(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(asked); !strings.Contains(string(got), "-D FORWARD") {
		t.Errorf("iptables was asked %q, want that it removes the rule", got)
	}
	if _, err := os.Stat(opts.Dir); !os.IsNotExist(err) {
		t.Errorf("got %v, want that the folder is gone", err)
	}
}
