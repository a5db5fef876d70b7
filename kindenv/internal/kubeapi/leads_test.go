package kubeapi_test

import (
	"testing"
)

func TestLeads(t *testing.T) {
	t.Parallel()
	const path = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/part"
	served := answers{path: `{"spec":{"renewTime":"2026-01-02T03:04:05.000000Z"}}`}
	check := ask(t, served).Leads("part")
	for range 2 {
		matches(t, check.Run(t.Context()), "part has not renewed its lease since 2026-01-02T03:04:05.000000Z")
	}
	served[path] = `{"spec":{"renewTime":"2026-01-02T03:04:06.000000Z"}}`
	if err := check.Run(t.Context()); err != nil {
		t.Errorf("renewed since: %v", err)
	}
	served[path] = `500 {"message":"etcd is on fire"}`
	matches(t, check.Run(t.Context()), "get "+path+": 500 Internal Server Error: etcd is on fire")
	if err := ask(t, answers{}).Leads("part").Run(t.Context()); err != nil {
		t.Errorf("without a lease: %v", err)
	}
}
