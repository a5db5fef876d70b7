package cloudprovider_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

func TestStatus(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		status := func() cloudprovider.Status {
			t.Helper()
			status, err := c.Status(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return status
		}
		if got := status(); got.State != "" || got.Container != name || got.Reason != "absent" {
			t.Errorf("got %+v, want absent", got)
		}
		container := f.mustStart(c)
		got := status()
		if got.State != engine.Running || got.ID != container.ID || got.Image != image || got.Outdated || !got.Since.Equal(container.StartedAt) {
			t.Errorf("got %+v, want the running container's, up to date", got)
		}
		if !slices.Equal(got.Clusters, []string{"demo"}) {
			t.Errorf("got clusters %q, want demo", got.Clusters)
		}
		wantText(t, got.String(), name, "running since", "serves demo")

		f.AppendLog(container.ID, `I1130 controller.go:98] "Deleting resources" cluster="demo"`)
		if got := status(); len(got.Clusters) > 0 {
			t.Errorf("got clusters %q, want none any more", got.Clusters)
		}
		f.AddImage(image, enginetest.WithImageID("sha256:new"))
		if !status().Outdated {
			t.Error("it is not outdated by a new image")
		}
		f.behave(exits(3, "out of luck"))
		f.Exit(container.ID, 3)
		got = status()
		if got.State != engine.Restarting || got.ExitCode != 3 || got.Restarts == 0 || !got.Outdated {
			t.Errorf("got %+v, want restarting, with code 3", got)
		}
		wantText(t, got.String(), "exited with code 3", "restarted", "out of luck")
	})
}

func TestStatusTellsWhenItDoesNotKnow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		f.mustStart(c)
		f.Fail("List", 0, engine.ErrUnavailable)
		if _, err := c.Status(t.Context()); !errors.Is(err, engine.ErrUnavailable) {
			t.Errorf("got %v, want that the engine is unavailable", err)
		}
		if c.Running(t.Context()) {
			t.Error("it runs, though nobody can tell")
		}
	})
}

func TestRunning(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		if c.Running(t.Context()) {
			t.Error("it runs before its start")
		}
		container := f.mustStart(c)
		if !c.Running(t.Context()) {
			t.Error("it does not run after its start")
		}
		f.SetState(container.ID, engine.Exited)
		if c.Running(t.Context()) {
			t.Error("it runs after its end")
		}
	})
}

func TestAttached(t *testing.T) {
	t.Parallel()
	const listing = `E1130 controller.go:66] "Error listing clusters, retrying..." err="exit status 1"`
	const failed = `E1130 controller.go:86] "Failed to start cloud controller" err="timed out" cluster="demo"`
	full := attachLog("demo")
	for _, test := range []struct {
		name string
		logs []string
		want []string // none: attached
	}{
		{"attached", full, nil},
		{"after a failure", slices.Concat([]string{failed}, full), nil},
		{"after a failed listing", slices.Concat([]string{listing}, full), nil},
		{"not yet", full[:3], []string{`does not serve cluster "demo" yet`, "Creating new cloud provider"}},
		{"another cluster", attachLog("demo-2"), []string{`does not serve cluster "demo" yet`}},
		{"failed", slices.Concat(full[:3], []string{failed}), []string{"tries again within 30 s", "timed out"}},
		{"dropped", slices.Concat(full, []string{`I1130 12:00:30.000000       1 controller.go:111] "Deleting resources" cluster="demo"`}), []string{"does not serve"}},
		{"dropped after a failure", slices.Concat([]string{failed}, full, []string{`I1130 12:00:30.000000       1 controller.go:111] "Deleting resources" cluster="demo"`}), []string{"does not serve"}},
		{"listing fails later", slices.Concat(full, []string{listing}), []string{"can't list the clusters", "exit status 1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				f.behave(enginetest.Behaviour{Logs: full})
				c := f.controller(config())
				container := f.mustStart(c)
				f.Remove(t.Context(), container.ID)
				f.behave(enginetest.Behaviour{Logs: test.logs})
				labels := container.Labels
				id, err := f.Create(t.Context(), engine.Spec{Name: name, Image: image, Labels: labels})
				if err != nil {
					t.Fatal(err)
				}
				if err := f.Fake.Start(t.Context(), id); err != nil {
					t.Fatal(err)
				}
				err = c.Attached(t.Context())
				if len(test.want) > 0 {
					wantError(t, err, test.want...)
				} else if err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestAttachedWithoutContainer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		wantError(t, c.Attached(t.Context()), "does not run", name)
		f.SetState(f.mustStart(c).ID, engine.Exited)
		wantError(t, c.Attached(t.Context()), name, "exited with code 0")
	})
}

// wantText fails unless text has each of parts.
func wantText(t *testing.T, text string, parts ...string) {
	t.Helper()
	wantError(t, errors.New(text), parts...)
}
