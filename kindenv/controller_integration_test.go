//go:build integration

package kindenv_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/templates"
)

const exampleImageEnv = "MAGEKIND_E2E_EXAMPLE_IMAGE"

// TestTroubleWithTheController has one cluster, with a Service that is to serve after each trouble.
func TestTroubleWithTheController(t *testing.T) {
	r := newReal(t)
	example := os.Getenv(exampleImageEnv)
	if r.config.NoCloudProvider || example == "" {
		t.Skipf("%s or %s names no image", cloudProviderImageEnv, exampleImageEnv)
	}
	r.serveWith(t, example)
	r.up(t)
	r.assertServes(t)
	t.Run("killed", r.killed)
	t.Run("configured otherwise", r.reconfigured)
	t.Run("cluster made again by hand", r.remade)
}

// serveWith adds an app of which a load balancer serves the page.
func (r *real) serveWith(t *testing.T, image string) {
	t.Helper()
	manifest := fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata: {name: hello, labels: {app: hello}}
spec:
  hostname: hello
  terminationGracePeriodSeconds: 1
  containers: [{name: hello, image: %q, imagePullPolicy: Never, readinessProbe: {httpGet: {path: /, port: 8080}, periodSeconds: 1}}]
---
apiVersion: v1
kind: Service
metadata: {name: hello}
spec: {type: LoadBalancer, selector: {app: hello}, ports: [{port: 80, targetPort: 8080}]}
`, image)
	if err := os.WriteFile(filepath.Join(r.config.Dir, "hello.yaml"), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	r.config.Images, r.config.Manifests = []string{image}, []string{"hello.yaml"}
	r.Environment = r.with(t, func(*kindenv.Config) {})
}

// with is the environment with another configuration.
func (r *real) with(t *testing.T, change func(*kindenv.Config)) *kindenv.Environment {
	t.Helper()
	cfg := r.config
	cfg.Out = t.Output()
	change(&cfg)
	env, err := kindenv.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// killed: the engine starts the controller again, the Service serves all along, up mends the rest.
func (r *real) killed(t *testing.T) {
	balancer := r.balancer(t)
	gateway := r.put(t, "kindccm-gw-", cloudprovider.LabelGateway)
	pid := r.docker(t, "inspect", "-f", "{{.State.Pid}}", r.Name()+"-cloud-provider")
	r.docker(t, "run", "--rm", "--pid=host", "--entrypoint", "sh", r.config.CloudProvider.Image, "-c", "kill -9 "+pid)
	r.reach(t, "code 137 (killed), and was restarted once")
	if err := get(t.Context(), balancer); err != nil {
		t.Errorf("after the kill: %v", err)
	}
	r.mends(t, r.with(t, func(*kindenv.Config) {}))
	if after := r.balancer(t); after.ID != balancer.ID {
		t.Error("the Service's load balancer was replaced")
	}
	if left := r.docker(t, "ps", "-aq", "--filter", "id="+gateway); left != "" {
		t.Error("the Gateway's stale proxy is still there")
	}
}

// reconfigured: the controller is replaced for another image and other arguments, and nothing else is.
func (r *real) reconfigured(t *testing.T) {
	tag := "localhost/magekind/" + r.Name() + ":other"
	r.docker(t, "tag", r.config.CloudProvider.Image, tag)
	t.Cleanup(func() { r.docker(t, "image", "rm", tag) })
	controller, node := r.id(t, "-cloud-provider"), r.id(t, "-control-plane")
	for _, change := range []func(*kindenv.Config){
		func(cfg *kindenv.Config) { cfg.CloudProvider.Image = tag },
		func(cfg *kindenv.Config) { cfg.CloudProvider.GatewayChannel = "disabled" },
		func(*kindenv.Config) {},
	} {
		r.mends(t, r.with(t, change))
		if after := r.id(t, "-cloud-provider"); after == controller {
			t.Error("the controller was kept")
		} else {
			controller = after
		}
		if r.id(t, "-control-plane") != node {
			t.Error("the node was replaced")
		}
	}
}

// remade: kind deleted and made the cluster by hand, with the controller of the old one still there.
func (r *real) remade(t *testing.T) {
	controller, balancer := r.id(t, "-cloud-provider"), r.balancer(t)
	stale := r.put(t, "kindccm-", cloudprovider.LabelLoadBalancer)
	driver, err := kind.New(kind.Docker, nil)
	if err != nil {
		t.Fatal(err)
	}
	config, err := templates.Kind(templates.Cluster{FailCgroupV1Off: r.engine.Endpoint().CgroupVersion == 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := driver.Delete(t.Context(), r.Name()); err != nil {
		t.Fatal(err)
	}
	if _, err := driver.Create(t.Context(), kind.CreateSpec{Name: r.Name(), Image: r.config.NodeImage, Config: config}); err != nil {
		t.Fatal(err)
	}
	r.reach(t, "an earlier cluster")
	r.mends(t, r.with(t, func(*kindenv.Config) {}))
	if r.id(t, "-cloud-provider") == controller {
		t.Error("the controller was kept")
	}
	for _, id := range []string{stale, balancer.ID} {
		if left := r.docker(t, "ps", "-aq", "--filter", "id="+id); left != "" {
			t.Error("a load balancer of the earlier cluster is still there")
		}
	}
}
