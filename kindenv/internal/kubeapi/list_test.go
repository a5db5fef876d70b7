package kubeapi_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kubeapi"
)

func TestNodes(t *testing.T) {
	t.Parallel()
	client := ask(t, answers{"/api/v1/nodes": `{"items":[
		{"metadata":{"name":"x-control-plane","labels":{"node-role.kubernetes.io/control-plane":""}},
		 "status":{"conditions":[{"type":"Ready","status":"True"}],"nodeInfo":{"kubeletVersion":"v1.37.0"},
		  "addresses":[{"type":"Hostname","address":"x-control-plane"},{"type":"InternalIP","address":"172.18.0.2"},{"type":"InternalIP","address":"fc00::2"}]}},
		{"metadata":{"name":"x-worker"},"status":{"nodeInfo":{"kubeletVersion":"v1.36.1"}}}]}`})
	got, err := client.Nodes(t.Context())
	want := []kubeapi.Node{
		{Name: "x-control-plane", Ready: true, Role: "control-plane", Version: "v1.37.0", InternalIP: "172.18.0.2"},
		{Name: "x-worker", Reason: "no condition Ready yet", Role: "worker", Version: "v1.36.1"},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v and error %v, want %+v", got, err, want)
	}
}

func TestLoadBalancers(t *testing.T) {
	t.Parallel()
	client := ask(t, answers{"/api/v1/services": `{"items":[
		{"metadata":{"namespace":"default","name":"kubernetes"},"spec":{"type":"ClusterIP"}},
		{"metadata":{"namespace":"default","name":"pending"},"spec":{"type":"LoadBalancer","ports":[{"port":80,"nodePort":30080,"protocol":"TCP"}]},"status":{"loadBalancer":{}}},
		{"metadata":{"namespace":"web","name":"hello"},"spec":{"type":"LoadBalancer","ports":[{"name":"http","port":80,"protocol":"TCP"},{"name":"dns","port":53,"protocol":"UDP"}]},
		 "status":{"loadBalancer":{"ingress":[{"ip":"172.18.0.5"},{"hostname":"lb.example"},{}]}}}]}`})
	got, err := client.LoadBalancers(t.Context())
	want := []kubeapi.Service{
		{Namespace: "default", Name: "pending", Ports: []kubeapi.ServicePort{{Port: 80, Protocol: "TCP"}}},
		{
			Namespace: "web", Name: "hello", Addresses: []string{"172.18.0.5", "lb.example"},
			Ports: []kubeapi.ServicePort{{Name: "http", Port: 80, Protocol: "TCP"}, {Name: "dns", Port: 53, Protocol: "UDP"}},
		},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v and error %v, want %+v", got, err, want)
	}
}

func TestListsFail(t *testing.T) {
	t.Parallel()
	client := ask(t, answers{})
	if _, err := client.Nodes(t.Context()); err == nil {
		t.Error("Nodes: no error")
	}
	if _, err := client.LoadBalancers(t.Context()); err == nil {
		t.Error("LoadBalancers: no error")
	}
	if _, err := client.Version(t.Context()); err == nil {
		t.Error("Version: no error")
	}
}
