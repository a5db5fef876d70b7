package build_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/magefiles/images/internal/build"
	"github.com/magekind/magekind/magefiles/images/internal/engine"
	"github.com/magekind/magekind/magefiles/images/internal/progress"
)

// options are those of a run over the repository's own sources with a docker
// command that is the given shell script.
func options(t *testing.T, script string) (build.Options, *bytes.Buffer) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	path := filepath.Join(t.TempDir(), "docker")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	return build.Options{
		Source: "../..", Roles: build.Roles(), Engine: engine.Docker{Command: path}, Log: progress.New(&log),
	}, &log
}

func TestNothingIsBuiltTwice(t *testing.T) {
	o, log := options(t, `case "$2" in ls) echo 'sha256:1 <none>:<none>' ;; tag) ;; *) exit 1 ;; esac`)
	names, err := build.Images(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for role, want := range map[string]string{
		"node": "localhost/magekind/node:v1.", "example": "localhost/magekind/example:",
		"cloudProvider": "localhost/magekind/cloud-provider-standin:",
	} {
		if !strings.HasPrefix(names[role], want) {
			t.Errorf("%s: got %q, want %q…", role, names[role], want)
		}
	}
	if log.Len() > 0 {
		t.Errorf("the log says %q, want nothing", log)
	}
}

func TestOtherPlatform(t *testing.T) {
	o, _ := options(t, `case "$1" in version) echo linux/riscv64 ;; esac`)
	_, err := build.Images(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "the container engine runs linux/riscv64") {
		t.Errorf("got %v, want both platforms named", err)
	}
}

func TestNoEngine(t *testing.T) {
	o, _ := options(t, "echo cannot connect >&2; exit 1")
	_, err := build.Images(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "look for image") || !strings.Contains(err.Error(), "cannot connect") {
		t.Errorf("got %v, want what was looked for and docker's words", err)
	}
}
