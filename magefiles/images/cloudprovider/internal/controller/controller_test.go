package controller_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/controller"
)

// TestAttachLog holds the order of the lines that readiness is read from.
func TestAttachLog(t *testing.T) {
	t.Parallel()
	d, _ := cluster(t)
	h := start(t, d, nil)
	h.logs("Starting cloud controller")
	rest := h.log.String()
	for _, want := range []string{
		"Connected succesfully to https://", "Creating new cloud provider", `] "Starting cloud controller" cluster="dev"` + "\n",
	} {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("got no %q, in this order, in:\n%s", want, h.log.String())
		}
		rest = after
	}
}

func TestStopRemovesEveryProxyThatDockerShows(t *testing.T) {
	t.Parallel()
	d, api := cluster(t)
	d.write("proxies/kindccm-of-another", "")
	d.write("proxies/foreign", "")
	api.put(echo, service("echo", "LoadBalancer", tcp(80, 30080)))
	h := start(t, d, nil)
	h.eventually("there is a proxy", func() bool { return api.address(echo) != "" })
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	var left []string
	for name := range d.proxies() {
		left = append(left, name)
	}
	if want := []string{"foreign"}; !slices.Equal(left, want) {
		t.Errorf("got %v left, want %v", left, want)
	}
}

// TestFilters holds the exact words that a docker ahead on the PATH looks for.
func TestFilters(t *testing.T) {
	t.Parallel()
	d, _ := cluster(t)
	h := start(t, d, nil)
	h.logs("Starting cloud controller")
	_ = h.stop()
	for _, want := range []string{
		"ps -a --filter label=io.x-k8s.kind.cluster --format ", "ps -a --filter label=io.x-k8s.cloud-provider-kind.cluster --format ",
	} {
		if got := d.calls(want); len(got) == 0 {
			t.Errorf("got no call %q", want)
		}
	}
}

func TestClustersComeAndGo(t *testing.T) {
	t.Parallel()
	d, api := cluster(t)
	d.setClusters()
	h := start(t, d, nil)
	h.eventually("some polls", func() bool { return len(d.calls("ps -a")) > 3 })
	d.setClusters("dev")
	h.logs(`"Starting cloud controller" cluster="dev"`)
	d.setClusters()
	h.logs(`"Deleting resources" cluster="dev"`)
	api.put(echo, service("echo", "LoadBalancer", tcp(80, 30080)))
	polls := len(d.calls("ps -a"))
	h.eventually("time passes", func() bool { return len(d.calls("ps -a")) > polls+5 })
	if got := d.proxies(); len(got) != 0 {
		t.Errorf("got proxies %v of a cluster that is gone, want none", got)
	}
}

func TestSickClusterDelaysNoOther(t *testing.T) {
	t.Parallel()
	d, api := cluster(t)
	d.setClusters("aching", "dev") // the first has no admin.conf yet
	api.put(echo, service("echo", "LoadBalancer", tcp(80, 30080)))
	h := start(t, d, nil)
	h.logs("Failed to create kubeClient for cluster aching")
	h.eventually("the other one is served", func() bool { return api.address(echo) != "" })
	d.write("aching-control-plane.conf", newFakeAPI(t).adminConf())
	h.logs(`"Starting cloud controller" cluster="aching"`)
}

func TestBrokenEngineIsSurvived(t *testing.T) {
	t.Parallel()
	d, _ := cluster(t)
	d.write("broken", "")
	h := start(t, d, nil)
	h.logs("Error listing clusters, retrying: docker ps: exit status 1: no engine here")
	d.remove("broken")
	h.logs("Starting cloud controller")
}

func TestClasses(t *testing.T) {
	t.Parallel()
	for name, byDefault := range map[string]bool{"default class": true, "another class": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, api := cluster(t)
			definition(t, d, "standard", "gatewayclasses")
			definition(t, d, "standard", "gateways")
			h := start(t, d, func(s *controller.Settings) { s.GatewayChannel, s.DefaultIngress = "standard", byDefault })
			h.logs("serves no Gateway and no Ingress")
			class, _ := api.get("/apis/gateway.networking.k8s.io/v1/gatewayclasses/cloud-provider-kind")
			condition := class["status"].(tree)["conditions"].([]any)[0].(tree)
			if condition["type"] != "Accepted" || condition["status"] != "True" {
				t.Errorf("got %v, want Accepted to be True", condition)
			}
			ingress, _ := api.get("/apis/networking.k8s.io/v1/ingressclasses/cloud-provider-kind")
			annotations, _ := ingress["metadata"].(tree)["annotations"].(tree)
			if got := annotations["ingressclass.kubernetes.io/is-default-class"] == "true"; got != byDefault {
				t.Errorf("got default %v, want %v", got, byDefault)
			}
			if before, after, _ := strings.Cut(h.log.String(), `"Starting cloud controller"`); !strings.Contains(before, "2 new") {
				t.Errorf("got no line on 2 new definitions before the cluster is attached to, but after it:\n%s", after)
			}
		})
	}
}

func TestDisabledChannelOffersNoClasses(t *testing.T) {
	t.Parallel()
	d, api := cluster(t)
	definition(t, d, "disabled", "gatewayclasses")
	h := start(t, d, nil)
	h.logs("Starting cloud controller")
	_ = h.stop()
	for path := range api.objects {
		if strings.Contains(path, "cloud-provider-kind") || strings.HasPrefix(path, crds) {
			t.Errorf("got %s, want nothing of the kind", path)
		}
	}
}

// definition writes a file as the Gateway API's release has them.
func definition(t *testing.T, d *fakeDocker, channel, plural string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(d.dir, "crds", channel), 0o755); err != nil {
		t.Fatal(err)
	}
	name := plural + ".gateway.networking.k8s.io"
	d.write(filepath.Join("crds", channel, "gateway.networking.k8s.io_"+plural+".yaml"),
		"# comment\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: "+name+"\n")
	d.write(filepath.Join("crds", channel, "gateway.networking.k8s.io_vap.yaml"),
		"apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata:\n  name: vap\n")
}
