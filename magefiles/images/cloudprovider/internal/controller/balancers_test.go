package controller_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/controller"
)

const echo = "/api/v1/namespaces/default/services/echo"

const finalizer = "service.kubernetes.io/load-balancer-cleanup"

// cluster is a docker with one cluster, "dev", and that cluster's API.
func cluster(t *testing.T) (*fakeDocker, *fakeAPI) {
	t.Helper()
	d, api := newFakeDocker(t, "dev"), newFakeAPI(t)
	d.write("dev-control-plane.conf", api.adminConf())
	api.put("/api/v1/nodes/one", node("one", "172.18.0.2", true, nil))
	return d, api
}

func only(t *testing.T, d *fakeDocker) (name, config string) {
	t.Helper()
	found := d.proxies()
	if len(found) != 1 {
		t.Fatalf("got proxies %v, want one", found)
	}
	for name, config = range found {
	}
	return name, config
}

func TestServiceGetsAProxyAndAnAddress(t *testing.T) {
	t.Parallel()
	d, api := cluster(t)
	h := start(t, d, nil)
	h.logs(`"Starting cloud controller" cluster="dev"`)
	api.put(echo, service("echo", "LoadBalancer", tcp(80, 30080), tcp(443, 30443)))
	h.eventually("the Service has an address", func() bool { return api.address(echo) == "172.18.0.9" })

	name, config := only(t, d)
	if !strings.HasPrefix(name, "kindccm-") || len(name) != len("kindccm-")+12 {
		t.Errorf("got name %q, want kindccm- and 12 digits", name)
	}
	want := `{"listen":[{"port":80,"nodePort":30080},{"port":443,"nodePort":30443}],"nodes":["172.18.0.2"]}`
	if config != want {
		t.Errorf("got configuration %s, want %s", config, want)
	}
	run := d.calls("run")[0]
	for _, want := range []string{
		"--label io.x-k8s.cloud-provider-kind.cluster=dev ", "--label io.x-k8s.cloud-provider-kind.loadbalancer.name=dev/default/echo ",
		"--privileged --restart=on-failure ", "--network kind ", "--publish 0.0.0.0::10000/tcp ", " standin:test proxy",
	} {
		if !strings.Contains(run, want) {
			t.Errorf("got %q, want it to have %q", run, want)
		}
	}
	if got, want := strings.Count(run, "--publish"), 1; got != want {
		t.Errorf("got %d ports published, want %d", got, want)
	}
	o, _ := api.get(echo)
	if got, _ := o["metadata"].(tree)["finalizers"].([]any); !slices.Contains(got, any(finalizer)) {
		t.Errorf("got finalizers %v, want %s", got, finalizer)
	}
}

func TestProxyFollowsPortsAndNodes(t *testing.T) {
	t.Parallel()
	d, api := cluster(t)
	api.put(echo, service("echo", "LoadBalancer", tcp(80, 30080)))
	h := start(t, d, nil)
	h.eventually("there is a proxy", func() bool { return api.address(echo) != "" })

	api.put(echo, service("echo", "LoadBalancer", tcp(81, 30080)))
	h.eventually("it has the new port", func() bool { _, c := only(t, d); return strings.Contains(c, `"port":81`) })
	api.put("/api/v1/nodes/two", node("two", "172.18.0.3", true, nil))
	api.put("/api/v1/nodes/sick", node("sick", "172.18.0.4", false, nil))
	api.put("/api/v1/nodes/plane", node("plane", "172.18.0.5", true, tree{"node.kubernetes.io/exclude-from-external-load-balancers": ""}))
	h.eventually("it has the new node alone", func() bool {
		_, c := only(t, d)
		return strings.Contains(c, `"nodes":["172.18.0.2","172.18.0.3"]`)
	})
	if got, want := len(d.calls("run")), 1; got != want {
		t.Errorf("got %d proxies made, want %d", got, want)
	}
}

func TestPortMappingPublishes(t *testing.T) {
	t.Parallel()
	d, api := cluster(t)
	api.put(echo, service("echo", "LoadBalancer", tcp(80, 30080)))
	h := start(t, d, func(s *controller.Settings) { s.PortMapping = true })
	h.eventually("there is a proxy", func() bool { return api.address(echo) != "" })
	if got, want := d.calls("run")[0], "--publish 80/tcp "; !strings.Contains(got, want) {
		t.Errorf("got %q, want it to have %q", got, want)
	}
	api.put(echo, service("echo", "LoadBalancer", tcp(81, 30080)))
	h.eventually("it is made anew for another port", func() bool {
		calls := d.calls("run")
		return len(calls) == 2 && strings.Contains(calls[1], "--publish 81/tcp ")
	})
}

func TestServiceThatGoesTakesItsProxyAlong(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*fakeAPI){
		"deleted": func(api *fakeAPI) {
			api.put(echo, tree{"metadata": tree{"deletionTimestamp": "2026-01-02T03:04:05Z"}})
		},
		"another type": func(api *fakeAPI) { api.put(echo, tree{"spec": tree{"type": "ClusterIP"}}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, api := cluster(t)
			api.put(echo, service("echo", "LoadBalancer", tcp(80, 30080)))
			h := start(t, d, nil)
			h.eventually("there is a proxy", func() bool { return api.address(echo) != "" })
			change(api)
			h.eventually("the proxy is gone", func() bool { return len(d.proxies()) == 0 })
			h.eventually("the Service is let go", func() bool {
				o, there := api.get(echo)
				if !there {
					return name == "deleted"
				}
				held, _ := o["metadata"].(tree)["finalizers"].([]any)
				return name != "deleted" && len(held) == 0 && api.address(echo) == ""
			})
		})
	}
}

func TestServicesOfOthersAreLeftAlone(t *testing.T) {
	t.Parallel()
	d, api := cluster(t)
	classed := service("classed", "LoadBalancer", tcp(80, 30080))
	classed["spec"].(tree)["loadBalancerClass"] = "other"
	api.put("/api/v1/namespaces/default/services/classed", classed)
	api.put("/api/v1/namespaces/default/services/plain", service("plain", "NodePort", tcp(80, 30081)))
	api.put(echo, service("echo", "LoadBalancer", tcp(80, 30082)))
	h := start(t, d, nil)
	h.eventually("ours has an address", func() bool { return api.address(echo) != "" })
	only(t, d)
}

func TestRemovedProxyStaysAwayUntilAChange(t *testing.T) {
	t.Parallel()
	d, api := cluster(t)
	api.put(echo, service("echo", "LoadBalancer", tcp(80, 30080)))
	h := start(t, d, nil)
	h.eventually("there is a proxy", func() bool { return api.address(echo) != "" })
	h.logs("Ensured load balancer")
	name, _ := only(t, d)
	d.remove("proxies/" + name)
	api.put("/api/v1/nodes/one", node("one", "172.18.0.2", true, tree{"no": "matter"}))
	polls := len(d.calls("ps -a"))
	h.eventually("time passes", func() bool { return len(d.calls("ps -a")) > polls+5 })
	if got := d.proxies(); len(got) != 0 {
		t.Errorf("got proxies %v, want none", got)
	}
	api.put(echo, service("echo", "LoadBalancer", tcp(81, 30080)))
	h.eventually("it is back", func() bool { return len(d.proxies()) == 1 })
}

func TestTroubleWithOneServiceIsRetriedAndLeavesOthers(t *testing.T) {
	t.Parallel()
	d, api := cluster(t)
	d.write("full", "")
	api.put(echo, service("echo", "LoadBalancer", tcp(80, 30080)))
	h := start(t, d, nil)
	h.logs("no space left")
	d.remove("full")
	h.eventually("it succeeds in the end", func() bool { return api.address(echo) != "" })
	if got, want := strings.Count(h.log.String(), "no space left"), 1; got != want {
		t.Errorf("got the failure logged %d times, want %d", got, want)
	}
}

func TestProxyLeftByAnEarlierRunGoesWithItsService(t *testing.T) {
	t.Parallel()
	d, _ := cluster(t)
	d.write("adopted", "kindccm-f64a2ab4e1ac dev/default/gone\n")
	h := start(t, d, nil)
	h.logs(`"Deleted load balancer" service="default/gone"`)
	if got := d.calls("rm -f -v kindccm-"); len(got) != 1 {
		t.Errorf("got removals %v, want one", got)
	}
}
