package cloudprovider_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// others are controllers of this cluster as other versions of the module could have left them.
func others() map[string]engine.Container {
	const role, settings = cloudprovider.LabelRole, "io.magekind.settings"
	mine := func(more map[string]string) map[string]string {
		labels := map[string]string{cloudprovider.LabelOwner: "demo"}
		for key, value := range more {
			labels[key] = value
		}
		return labels
	}
	return map[string]engine.Container{
		"no settings":       {Name: name, Labels: mine(map[string]string{role: cloudprovider.RoleController})},
		"other settings":    {Name: name, Labels: mine(map[string]string{role: cloudprovider.RoleController, settings: "of a newer version"})},
		"another role":      {Name: name, Labels: mine(map[string]string{role: "controller", settings: "x"})},
		"no role":           {Name: name, Labels: mine(nil)},
		"more labels":       {Name: name, Labels: mine(map[string]string{role: cloudprovider.RoleController, settings: "x", "io.magekind.scheme": "7"})},
		"another name":      {Name: "cpk-demo", Labels: mine(map[string]string{role: cloudprovider.RoleController, settings: "x"})},
		"name and role":     {Name: name, Labels: map[string]string{role: "provider"}},
		"name and settings": {Name: name, Labels: map[string]string{settings: "x"}},
		"name and cluster":  {Name: name, Labels: map[string]string{"io.magekind.kind-cluster": "demo"}},
	}
}

func (f fixture) putController(container engine.Container) string {
	container.Image, container.Command = image, []string{"/bin/cloud-provider-kind"}
	return f.Put(container)
}

func TestStartReplacesOtherVersions(t *testing.T) {
	t.Parallel()
	for title, container := range others() {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				id := f.putController(container)
				if _, owned := container.Labels[cloudprovider.LabelOwner]; !owned { // another cluster's with just these labels
					f.Put(engine.Container{Name: "alike", Labels: container.Labels, State: engine.Exited})
				}
				f.putProxy("kindccm-gw-1", "demo", time.Now())
				two := &twoAtOnce{fixture: f}
				c := shortened(cloudprovider.New(two, config()))
				if status := f.status(c); status.ID != id || !status.Outdated || len(status.Warnings) > 0 {
					t.Errorf("got %+v, want it found, outdated, and no rival", status)
				}
				if after := f.mustStart(c); after.ID == id {
					t.Error("it was kept")
				}
				if got := slices.DeleteFunc(f.names(), func(name string) bool { return name == "alike" }); !slices.Equal(got, []string{name, "demo-control-plane"}) {
					t.Errorf("got %q", got)
				}
				if _, owned := container.Labels[cloudprovider.LabelOwner]; !owned {
					f.container("alike")
				}
				if two.seen {
					t.Error("there were two at once")
				}
			})
		})
	}
}

// twoAtOnce notes when a controller is started beside another.
type twoAtOnce struct {
	fixture
	seen bool
}

func (e *twoAtOnce) Create(ctx context.Context, spec engine.Spec) (string, error) {
	for _, there := range e.all() {
		if spec.Name == name && slices.Equal(there.Command, []string{"/bin/cloud-provider-kind"}) {
			e.seen = true
		}
	}
	return e.fixture.Create(ctx, spec)
}

// TestStopRemovesOtherVersions: gracefully only what is known to keep to its own cluster.
func TestStopRemovesOtherVersions(t *testing.T) {
	t.Parallel()
	scoped := []string{"other settings", "more labels", "another name"}
	for title, container := range others() {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				stopped := false
				f.behave(enginetest.Behaviour{OnStop: func() { stopped = true }})
				f.putController(container)
				f.putProxy("kindccm-1", "demo", time.Now())
				f.putProxy("kindccm-2", "other", time.Now())
				if err := f.controller(config()).Stop(t.Context()); err != nil {
					t.Fatal(err)
				}
				f.wantNames("demo-control-plane", "kindccm-2")
				if want := slices.Contains(scoped, title); stopped != want {
					t.Errorf("stopped gracefully: %t, want %t", stopped, want)
				}
			})
		})
	}
}

// TestOthersAreLeftAlone: of other clusters, and of other people.
func TestOthersAreLeftAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		for _, container := range []engine.Container{
			{Name: "demo-2-cloud-provider", Labels: owned("demo-2")},
			{Name: "cloud-provider-kind", Labels: owned("")},
			{Name: "old", Labels: map[string]string{cloudprovider.LabelRole: "provider", "io.magekind.kind-cluster": "demo"}},
			{Name: "built", Labels: map[string]string{"io.magekind.image": "demo"}},
			{Name: "foreign", Image: cloudprovider.DefaultImage},
		} {
			f.Put(container)
		}
		before := f.names()
		c := f.controller(config())
		f.mustStart(c)
		if err := c.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.wantNames(before...)
	})
}

func TestStatusSaysWhyItIsOutdated(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(f fixture, id string, cfg *cloudprovider.Config){
		"other settings": func(_ fixture, _ string, cfg *cloudprovider.Config) { cfg.IngressDefault = false },
		"is another one now": func(f fixture, _ string, _ *cloudprovider.Config) {
			f.AddImage(image, enginetest.WithImageID("sha256:new"))
		},
		"it crashed: it exited with code 2, and was restarted once": func(f fixture, id string, _ *cloudprovider.Config) { f.Exit(id, 2) },
		"an earlier cluster": func(f fixture, _ string, _ *cloudprovider.Config) {
			f.Remove(f.t.Context(), f.node)
			time.Sleep(time.Second)
			f.putNode("demo", time.Now())
		},
		"there are 2 of it": func(f fixture, _ string, _ *cloudprovider.Config) {
			f.Put(engine.Container{Name: "zweiter", Labels: owned("demo")})
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				var notices []string
				cfg := config()
				cfg.Notice = func(message string) { notices = append(notices, message) }
				change(f, f.mustStart(f.controller(cfg)).ID, &cfg)
				c := f.controller(cfg)
				status := f.status(c)
				if !status.Outdated {
					t.Error("it is not outdated")
				}
				wantText(t, status.Reason, "running since", want)
				if err := c.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				wantText(t, strings.Join(notices, "\n"), "anew", want)
				if status := f.status(c); status.Outdated {
					t.Errorf("it is still outdated: %s", status.Reason)
				}
			})
		})
	}
}
