package cloudprovider_test

import (
	"testing"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// TestAHelperIsNoController: one that a killed process left says nothing.
func TestAHelperIsNoController(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Put(engine.Container{Name: "a-question", Labels: map[string]string{
		cloudprovider.LabelRole: "cloud-provider-list-images", cloudprovider.LabelOwner: "demo",
	}})
	c := f.controller(config())
	if c.Running(t.Context()) {
		t.Error("it runs before its start")
	}
	wantText(t, f.status(c).Reason, "absent")
	f.mustStart(c)
	if err := c.Attached(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestAnEngineWideControllerKnowsItsOwn: an empty label is not its cluster's name.
func TestAnEngineWideControllerKnowsItsOwn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Put(engine.Container{Name: "cloud-provider-kind", Labels: map[string]string{"io.magekind.note": ""}})
	cfg := config()
	cfg.ClusterName = ""
	if err := f.controller(cfg).Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.wantNames("cloud-provider-kind", "demo-control-plane")
}
