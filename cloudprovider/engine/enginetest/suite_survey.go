package enginetest

import (
	"slices"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

func surveys(t *testing.T, b *bench) {
	surveyor, ok := b.Engine.(engine.Surveyor)
	if !ok {
		t.Skip("the engine does not survey")
	}
	b.create(t, b.spec("wait"))
	b.start(t, "out=hello", "wait")
	all, err := surveyor.Survey(t.Context())
	must(t, "Survey", err)
	var found []engine.Container
	for _, c := range all {
		if c.Labels[SuiteLabel] == b.mark {
			found = append(found, c)
		}
	}
	listed := b.list(t, nil)
	same(t, "names", names(found), names(listed))
	for i, c := range found {
		want := listed[i]
		same(t, "ID", c.ID, want.ID)
		same(t, "image", c.Image, want.Image)
		same(t, "image ID", c.ImageID, want.ImageID)
		same(t, "state", c.State, want.State)
		same(t, "labels", len(c.Labels), len(want.Labels))
		same(t, "created at", c.CreatedAt, want.CreatedAt.Truncate(time.Second).UTC())
		if !slices.Equal(c.Command, want.Command) {
			t.Errorf("command: got %q, want %q", c.Command, want.Command)
		}
	}
}
