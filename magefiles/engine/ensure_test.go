package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// TestEnsureNeedsAnAnswer: only an engine that refuses the probe is a reason for one of our own,
// not a probe that could not be made.
func TestEnsureNeedsAnAnswer(t *testing.T) {
	programs := t.TempDir()
	if err := os.WriteFile(filepath.Join(programs, "docker"), []byte("#!/bin/sh\necho client too old >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	m, said := world{}.maker(t)
	fake := enginetest.NewFake()
	fake.SetEndpoint(dockerAt("unix:///elsewhere/docker.sock"))
	fake.Put(engine.Container{Name: "somebody's"}) // so that nothing is made in its place if this fails
	m.open = func(context.Context, string) (client, error) { return closable{fake}, nil }
	_, err := m.ensure(t.Context())
	if err == nil || errors.Is(err, errCannotRun) || !strings.Contains(err.Error(), "probing the engine") || !strings.Contains(err.Error(), "client too old") {
		t.Errorf("got %v, want why the engine can't be probed", err)
	}
	if said.Len() > 0 {
		t.Errorf("said %q, want nothing", said)
	}
}
