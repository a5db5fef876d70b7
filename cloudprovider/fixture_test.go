package cloudprovider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

const (
	image     = "example.com/cloud-provider:v1"
	proxy     = "docker.io/envoyproxy/envoy:v1.33.2"
	name      = "demo-cloud-provider"
	nodeKeyIs = "io.x-k8s.kind.cluster"
)

// fixture is a Fake with the network, the images and one kind cluster, "demo",
// on which the cloud provider behaves as upstream's.
type fixture struct {
	*enginetest.Fake
	t    *testing.T
	node string // ID of the control plane
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	f := fixture{Fake: enginetest.NewFake(), t: t}
	f.AddNetwork("kind")
	f.AddImage(image)
	f.AddImage(proxy)
	f.node = f.putNode("demo", time.Now().Add(-time.Hour))
	f.behave(enginetest.Behaviour{Logs: attachLog("demo")})
	return f
}

// attachLog is what upstream's image logs until it serves a cluster.
func attachLog(cluster string) []string {
	return []string{
		`I1130 12:00:00.000001       1 app.go:88] FLAG: --gateway-channel="standard"`,
		fmt.Sprintf(`I1130 12:00:00.100000       1 controller.go:174] "Connected succesfully" cluster=%q host="https://%s-control-plane:6443"`, cluster, cluster),
		fmt.Sprintf(`I1130 12:00:00.100001       1 controller.go:82] "Creating new cloud provider" cluster=%q`, cluster),
		fmt.Sprintf(`I1130 12:00:00.200000       1 controller.go:89] "Starting cloud controller" cluster=%q`, cluster),
	}
}

// behave sets what the controller does; asked for its images it names proxy.
func (f fixture) behave(b enginetest.Behaviour) {
	f.Script(func(spec engine.Spec) enginetest.Behaviour {
		if slices.Equal(spec.Command, []string{"list-images"}) {
			zero := 0
			return enginetest.Behaviour{Logs: []string{proxy}, Exit: &zero}
		}
		return b
	})
}

func exits(code int, lines ...string) enginetest.Behaviour {
	return enginetest.Behaviour{Logs: lines, Exit: &code}
}

func (f fixture) putNode(cluster string, created time.Time) string {
	return f.Put(engine.Container{
		Name:      cluster + "-control-plane",
		Labels:    map[string]string{nodeKeyIs: cluster, "io.x-k8s.kind.role": "control-plane"},
		CreatedAt: created,
	})
}

// putProxy adds a load balancer of a Service, or of a Gateway with "gw" in its name.
func (f fixture) putProxy(name, cluster string, created time.Time) string {
	key := cloudprovider.LabelLoadBalancer
	if strings.Contains(name, "gw") {
		key = cloudprovider.LabelGateway
	}
	return f.Put(engine.Container{
		Name:      name,
		Labels:    map[string]string{cloudprovider.LabelCluster: cluster, key: cluster + "/default/" + name},
		CreatedAt: created,
	})
}

func config() cloudprovider.Config {
	cfg := cloudprovider.DefaultConfig()
	cfg.Image, cfg.ClusterName = image, "demo"
	return cfg
}

// controller returns one that does not wait long for what does not come.
func (f fixture) controller(cfg cloudprovider.Config) *cloudprovider.Controller {
	return shortened(cloudprovider.New(f, cfg))
}

func shortened(c *cloudprovider.Controller) *cloudprovider.Controller {
	c.SetGOOS("linux")
	c.SetProcesses(fstest.MapFS{})
	c.SetBudgets(cloudprovider.Budgets{Start: 5 * time.Second, Settle: 50 * time.Millisecond, Sweep: 300 * time.Millisecond})
	return c
}

func (f fixture) mustStart(c *cloudprovider.Controller) engine.Container {
	f.t.Helper()
	if err := c.Start(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	return f.container(name)
}

// container returns the container of that name, which must exist.
func (f fixture) container(name string) engine.Container {
	f.t.Helper()
	for _, container := range f.all() {
		if container.Name == name {
			return container
		}
	}
	f.t.Fatalf("there is no container %q, only %v", name, f.names())
	return engine.Container{}
}

func (f fixture) all() []engine.Container {
	f.t.Helper()
	all, err := f.List(f.t.Context(), nil)
	if err != nil {
		f.t.Fatal(err)
	}
	return all
}

// names returns the names of the containers, sorted.
func (f fixture) names() []string {
	f.t.Helper()
	var names []string
	for _, container := range f.all() {
		names = append(names, container.Name)
	}
	slices.Sort(names)
	return names
}

func (f fixture) wantNames(want ...string) {
	f.t.Helper()
	if got := f.names(); !slices.Equal(got, want) {
		f.t.Errorf("got containers %q, want %q", got, want)
	}
}

// changes returns the calls since the first n that changed something.
func (f fixture) changes(n int) []string {
	var changes []string
	for _, call := range f.Calls()[n:] {
		switch method, _, _ := strings.Cut(call, " "); method {
		case "List", "Survey", "Image", "NetworkIDs", "Logs", "LastExit":
		default:
			changes = append(changes, call)
		}
	}
	return changes
}

// wantError fails unless err says each of parts.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("got no error")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("got error %q, want it to say %q", err, part)
		}
	}
}
