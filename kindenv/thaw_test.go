package kindenv_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

func TestUpWaitsUntilAThawedControlPlaneWorks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		in(plane, engine.Paused)(p)
		const lease = kindtest.PathLeaders + "kube-scheduler"
		p.api.Answer(lease, `{"spec":{"renewTime":"1999-01-02T03:04:05.000000Z"}}`)
		ended := make(chan error, 1)
		go func() { ended <- p.environment().Up(t.Context()) }()
		for p.asked(lease) < 3 && len(ended) == 0 {
			time.Sleep(time.Millisecond)
		}
		if len(ended) > 0 {
			t.Fatalf("Up does not wait for the scheduler: %v", <-ended)
		}
		p.api.Answer(lease, kindtest.Renewed)
		p.must(<-ended)
	})
}

// asked is how often the API server was asked for path.
func (p pair) asked(path string) (n int) {
	for _, request := range p.api.Asked() {
		if request == "GET "+path {
			n++
		}
	}
	return n
}

func TestUpThawsTheCloudProvider(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		put := func(label, cluster string) string {
			return p.engine.Put(engine.Container{State: engine.Paused, Labels: map[string]string{label: cluster}})
		}
		controller, balancer := put(cloudprovider.LabelOwner, "x"), put(cloudprovider.LabelCluster, "x")
		other := put(cloudprovider.LabelCluster, "other")
		p.must(p.environment().Up(t.Context()))
		all, err := p.engine.List(t.Context(), nil)
		p.must(err)
		for _, container := range all {
			want := engine.Running
			if container.ID == other {
				want = engine.Paused
			}
			if container.State != want {
				t.Errorf("%v is %s, want %s; ours are %s and %s", container.Labels, container.State, want, controller, balancer)
			}
		}
		put(cloudprovider.LabelCluster, "x")
		p.engine.Fail("Unpause", 0, errors.New("the freezer is broken"))
		wantError(t, p.environment().Up(t.Context()), "thaw container", "freezer is broken")
	})
}
