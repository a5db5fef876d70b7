package cloudprovider_test

import (
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
)

func TestLoadBalancers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		four, six := netip.MustParseAddr("172.18.0.5"), netip.MustParseAddr("fc00::5")
		port := func(host string, container uint16) engine.Port {
			return engine.Port{Host: netip.MustParseAddrPort(host), ContainerPort: container, Protocol: "tcp"}
		}
		put := func(name, cluster, key, value string) {
			f.Put(engine.Container{
				Name: name, Labels: map[string]string{cloudprovider.LabelCluster: cluster, key: value},
				Networks: []engine.Attachment{{Network: "bridge", IPv4: netip.MustParseAddr("172.17.0.9")}, {Network: "kind", IPv4: four, IPv6: six}},
				Ports:    []engine.Port{port("0.0.0.0:32768", 10000), port("0.0.0.0:32769", 80)},
			})
		}
		put("kindccm-1", "demo", cloudprovider.LabelLoadBalancer, "demo/default/web")
		put("kindccm-2", "demo", cloudprovider.LabelLoadBalancer, "demo/a/web")
		put("kindccm-gw-1", "demo", cloudprovider.LabelGateway, "demo/default/gate")
		put("kindccm-3", "demo-2", cloudprovider.LabelLoadBalancer, "demo-2/default/web")
		put("odd", "demo", cloudprovider.LabelLoadBalancer, "nonsense")
		put("bare", "", cloudprovider.LabelLoadBalancer, "/default/web")

		got, err := f.controller(config()).LoadBalancers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"kindccm-gw-1", "kindccm-2", "kindccm-1"}; !slices.Equal(containers(got), want) {
			t.Fatalf("got %q, want %q", containers(got), want)
		}
		web := got[2]
		if web.Cluster != "demo" || web.Kind != "Service" || web.Namespace != "default" || web.Name != "web" || web.State != engine.Running {
			t.Errorf("got %+v, want the Service default/web of demo", web)
		}
		if !slices.Equal(web.Addresses, []netip.Addr{four, six}) {
			t.Errorf("got addresses %v, want those in the network kind", web.Addresses)
		}
		if !slices.Equal(web.Ports, []engine.Port{port("0.0.0.0:32769", 80)}) {
			t.Errorf("got ports %v, want all but the admin's", web.Ports)
		}
		if got[0].Kind != "Gateway" || got[0].Name != "gate" {
			t.Errorf("got %+v, want the Gateway gate", got[0])
		}
		cfg := config()
		cfg.ClusterName = ""
		all, err := f.controller(cfg).LoadBalancers(t.Context())
		if want := []string{"bare", "kindccm-gw-1", "kindccm-2", "kindccm-1", "kindccm-3"}; err != nil || !slices.Equal(containers(all), want) {
			t.Errorf("got %q and %v, want %q", containers(all), err, want)
		}
	})
}

func containers(balancers []cloudprovider.LoadBalancer) []string {
	var names []string
	for _, balancer := range balancers {
		names = append(names, balancer.Container)
	}
	return names
}
