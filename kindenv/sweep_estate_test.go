package kindenv_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

const (
	// neighbour's name begins with that of the project under test.
	neighbour     = "x-2"
	providerImage = "localhost/provider:v1"
	proxyImage    = "localhost/proxy:v1"

	creation  = 2 * time.Second // how long kind takes
	abortion  = 4 * time.Second // how long kind takes to end when it is cancelled
	goodBye   = 8 * time.Second // how long a cloud provider takes to end by itself
	slowReply = 10 * time.Second
)

// estate is an engine in memory with two projects on it, in virtual time: "x",
// and a neighbour whose environment is up. All but the engine, kind and the API
// servers is real, the cloud provider's controller too.
type estate struct {
	t       *testing.T
	engine  *enginetest.Fake
	home    string
	project string
	tenants map[string]tenant
	out     *output
	before  snapshot // with nothing of x
}

// tenant is a project's kind, and its cluster's API server.
type tenant struct {
	kind *kindtest.Fake
	api  *kindtest.API
}

func newEstate(t *testing.T) *estate {
	t.Helper()
	e := emptyEstate(t)
	e.engine.Put(engine.Container{Name: "x-control-plane-2", Image: nodeImage, Networks: []engine.Attachment{{Network: "kind"}}})
	e.settle("x", 1)
	e.settle(neighbour, 2)
	e.write("manifest.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: mine}\n")
	e.must(neighbour, (*kindenv.Environment).Up)
	// the neighbour's context is the current one until x has been there
	e.must("x", (*kindenv.Environment).Up)
	e.must("x", (*kindenv.Environment).Down)
	e.before = e.look()
	return e
}

// emptyEstate has no projects yet.
func emptyEstate(t *testing.T) *estate {
	t.Helper()
	e := &estate{
		t: t, engine: enginetest.NewFake(), home: t.TempDir(), project: t.TempDir(), out: &output{},
		tenants: map[string]tenant{},
	}
	e.engine.SetEndpoint(engine.Endpoint{Host: host, Kind: engine.Docker, Version: "28.0", CgroupVersion: 2})
	e.engine.AddNetwork("kind")
	for _, image := range []string{nodeImage, providerImage, proxyImage, app} {
		e.engine.AddImage(image)
		e.engine.AddRemoteImage(image)
	}
	e.engine.Script(e.behave)
	return e
}

// settle makes a project's kind and API server.
func (e *estate) settle(name string, port uint16) {
	api := kindtest.NewAPIInMemory(e.t, port, name+"-control-plane", name+"-worker")
	fake := kindtest.NewFake(e.engine)
	fake.API = api
	fake.Creating = func(ctx context.Context, _ kind.CreateSpec) error {
		select {
		case <-time.After(creation):
			return nil
		case <-ctx.Done():
			time.Sleep(abortion)
			return ctx.Err()
		}
	}
	fake.OnKubectl = func([]string, string) (string, error) {
		if _, err := fake.Kubeconfig(context.Background(), name); err != nil {
			return "", err // it needs what kubeadm makes
		}
		return "storageclass.storage.k8s.io/standard\nnode/" + name + "-control-plane\nnode/" + name + "-worker\n", nil
	}
	e.tenants[name] = tenant{fake, api}
}

func (e *estate) write(name, content string) {
	e.t.Helper()
	if err := os.WriteFile(filepath.Join(e.project, name), []byte(content), 0o600); err != nil {
		e.t.Fatal(err)
	}
}

// containers are all that there are on the engine.
func (e *estate) containers() []engine.Container {
	all, err := e.engine.List(context.Background(), nil)
	if err != nil {
		e.t.Error(err)
	}
	return all
}

// command is what a user calls.
type command func(env *kindenv.Environment, ctx context.Context) error

// run calls a command as a process of its own does, in which faults happen.
func (e *estate) run(ctx context.Context, name string, faults *enginetest.Faults, do command, change ...func(*kindenv.Config)) error {
	e.t.Helper()
	cfg := kindenv.Config{Name: name, Dir: e.project, NodeImage: nodeImage, Out: e.out}
	cfg.CloudProvider = cloudprovider.DefaultConfig()
	cfg.CloudProvider.Image = providerImage
	for _, f := range change {
		if f != nil {
			f(&cfg)
		}
	}
	there := e.tenants[name]
	there.kind.Roles = []string{kind.RoleControlPlane}
	if cfg.Cluster.Workers > 0 {
		there.kind.Roles = append(there.kind.Roles, kind.RoleWorker)
	}
	var nodes []string
	for _, role := range there.kind.Roles {
		nodes = append(nodes, kindtest.Node(name+"-"+role, true))
	}
	there.api.Answer(kindtest.PathNodes, kindtest.List(nodes...))
	env, err := kindenv.NewIn(&kindenv.World{
		Engine: faults.Around(e.engine), Driver: kindtest.Around(faults, there.kind), Dial: there.api.Dial,
		CacheDir: filepath.Join(e.home, "cache"), Patience: time.Minute,
		Env: map[string]string{"HOME": e.home, "DOCKER_HOST": host},
	}, cfg)
	if err != nil {
		e.t.Fatal(err)
	}
	return do(env, ctx)
}

// must runs a command without faults, which has to succeed.
func (e *estate) must(name string, do command, change ...func(*kindenv.Config)) {
	e.t.Helper()
	if err := e.run(e.t.Context(), name, kindtest.NewFaults(), do, change...); err != nil {
		e.t.Fatalf("without a fault: %v", err)
	}
}

// forgetCaches removes what is kept of images, so that it is asked for again.
func (e *estate) forgetCaches() {
	e.t.Helper()
	kept, err := filepath.Glob(filepath.Join(e.home, "cache", cachedAnswer+"*"))
	for _, path := range kept {
		err = errors.Join(err, os.Remove(path))
	}
	if err != nil {
		e.t.Fatal(err)
	}
}

// cachedAnswer begins the names of files about an image, which are no project's.
const cachedAnswer = "proxy-image-"

// ofX says whether a container is x's, by its labels.
func ofX(c engine.Container) bool {
	for _, label := range []string{kind.LabelCluster, cloudprovider.LabelOwner, cloudprovider.LabelCluster} {
		if c.Labels[label] == "x" {
			return true
		}
	}
	return false
}

// changes are the methods that change something of the container in their argument.
func changes(call string) (name string, ok bool) {
	method, argument, _ := strings.Cut(call, " ")
	switch method {
	case "List", "Image", "Pull", "NetworkIDs":
		return "", false
	}
	name, _, _ = strings.Cut(argument, " ")
	return name, true
}
