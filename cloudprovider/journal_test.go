package cloudprovider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// TestAttachedLooksAtTheCurrentRun: that an earlier run served the cluster says nothing.
func TestAttachedLooksAtTheCurrentRun(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	c := f.controller(config())
	container := f.mustStart(c)
	f.behave(enginetest.Behaviour{Logs: attachLog("demo")[:2]})
	if err := f.Exit(container.ID, 2); err != nil {
		t.Fatal(err)
	}
	wantError(t, c.Attached(t.Context()), `does not serve cluster "demo" yet`)
	status, err := c.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(status.Clusters) > 0 || !status.Outdated {
		t.Errorf("got clusters %q of an earlier run and outdated %t, want none, and true after a crash", status.Clusters, status.Outdated)
	}
}

// TestErrorsLeaveFlagsOut, of which there are dozens in a log that matters little else.
func TestErrorsLeaveFlagsOut(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var lines []string
	for i := range 20 {
		lines = append(lines, fmt.Sprintf(`I1130 12:00:00.000001       1 flags.go:64] FLAG: --flag-%d=""`, i))
	}
	f.behave(exits(1, slices.Concat([]string{"the cause"}, lines)...))
	err := f.controller(config()).Start(t.Context())
	wantError(t, err, "its last lines:\n  the cause")
	if strings.Contains(err.Error(), "FLAG") {
		t.Errorf("got %q, want no flags in it", err)
	}
}

func TestStatusTellsTheState(t *testing.T) {
	t.Parallel()
	for state, want := range map[engine.State]string{
		engine.Paused: "it is paused", engine.Created: "it was never started", engine.Exited: "it exited with code 0",
	} {
		f := newFixture(t)
		c := f.controller(config())
		f.SetState(f.mustStart(c).ID, state)
		status, err := c.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(status.Reason, want) {
			t.Errorf("%s: got reason %q, want it to begin with %q", state, status.Reason, want)
		}
		wantError(t, c.Attached(t.Context()), want)
	}
}

// TestStatusTextInTrouble keeps what is known apart from the log's lines.
func TestStatusTextInTrouble(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	c := f.controller(config())
	container := f.mustStart(c)
	const complaint = `E1130 controller.go:66] "Error listing clusters, retrying..." err="exit status 1"`
	f.AppendLog(container.ID, complaint)
	status, err := c.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := status.String(); !strings.HasPrefix(got, name+": serves demo; running since") || !strings.HasSuffix(got, complaint) {
		t.Errorf("got %q, want the cluster first and the log's lines last", got)
	}
}

// TestStartKeepsAnImageThatLostItsName: what runs is as wanted, and pulling would be the alternative.
func TestStartKeepsAnImageThatLostItsName(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	before := f.mustStart(f.controller(config()))
	f.RemoveImage(image)
	if after := f.mustStart(f.controller(config())); after.ID != before.ID {
		t.Error("the container was replaced")
	}
}

// TestErrorsCutLongLines between characters.
func TestErrorsCutLongLines(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.behave(exits(1, "x"+strings.Repeat("é", 5000)))
	err := f.controller(config()).Start(t.Context())
	wantError(t, err, "xé")
	if text := err.Error(); len(text) > 1000 || !utf8.ValidString(text) {
		t.Errorf("got %d bytes, valid %t, want a short text", len(text), utf8.ValidString(text))
	}
}
