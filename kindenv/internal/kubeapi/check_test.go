package kubeapi_test

import (
	"errors"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kubeapi"
)

func readyNode(name string) string {
	return `{"metadata":{"name":"` + name + `"},"status":{"conditions":[{"type":"MemoryPressure","status":"False"},{"type":"Ready","status":"True","reason":"KubeletReady"}]}}`
}

func TestChecks(t *testing.T) {
	t.Parallel()
	const (
		nodes   = "/api/v1/nodes"
		coredns = "/apis/apps/v1/namespaces/kube-system/deployments/coredns"
		account = "/api/v1/namespaces/default/serviceaccounts/default"
		gateway = "/apis/gateway.networking.k8s.io/v1/gatewayclasses/cpk"
		ingress = "/apis/networking.k8s.io/v1/ingressclasses/cpk"
		missing = `404 {"message":"gone fishing"}`
	)
	unready := `{"metadata":{"name":"x-worker"},"status":{"conditions":[{"type":"Ready","status":"False",` +
		`"reason":"KubeletNotReady","message":"container runtime network not ready"}]}}`
	mute := `{"metadata":{"name":"x-worker2"},"status":{}}`
	unknown := `{"metadata":{"name":"x-worker3"},"status":{"conditions":[{"type":"Ready","status":"Unknown"}]}}`
	list := func(items string) string { return `{"items":[` + items + `]}` }
	tests := []struct {
		name, path, answer string
		check              func(c *kubeapi.Client) kubeapi.Check
		want               string
	}{
		{"api", "/readyz", "ok", (*kubeapi.Client).APIReady, ""},
		{"api not ready", "/readyz", "500 [-]etcd failed", (*kubeapi.Client).APIReady, "get /readyz: 500 Internal Server Error: [-]etcd failed"},

		{"nodes", nodes, list(readyNode("x") + "," + readyNode("y")), nodesReady(2), ""},
		{"more nodes", nodes, list(readyNode("x") + "," + readyNode("y")), nodesReady(1), ""},
		{"no nodes", nodes, `{"items":null}`, nodesReady(1), "0 of 1 nodes ready: 1 not registered yet"},
		{"no nodes wanted", nodes, `{"items":null}`, nodesReady(0), ""},
		{
			"not ready", nodes, list(readyNode("x") + "," + readyNode("y") + "," + unready), nodesReady(3),
			"2 of 3 nodes ready: x-worker: KubeletNotReady: container runtime network not ready",
		},
		{
			"not ready beyond the wanted", nodes, list(readyNode("x") + "," + mute + "," + unknown), nodesReady(1),
			"1 of 3 nodes ready: x-worker2: no condition Ready yet; x-worker3: condition Ready is Unknown",
		},
		{"missing", nodes, list(readyNode("x") + "," + mute), nodesReady(4), "1 of 4 nodes ready: x-worker2: no condition Ready yet; 2 not registered yet"},

		{"dns", coredns, `{"status":{"replicas":2,"availableReplicas":1,"conditions":[{"type":"Available","status":"True"}]}}`, (*kubeapi.Client).CoreDNS, ""},
		{
			"dns not available", coredns,
			`{"status":{"replicas":2,"conditions":[{"type":"Available","status":"False","reason":"MinimumReplicasUnavailable","message":"Deployment does not have minimum availability."}]}}`,
			(*kubeapi.Client).CoreDNS,
			"deployment coredns has 0 of 2 replicas available: MinimumReplicasUnavailable: Deployment does not have minimum availability.",
		},
		{"dns just made", coredns, `{}`, (*kubeapi.Client).CoreDNS, "deployment coredns has 0 of 0 replicas available: no condition Available yet"},
		{"dns missing", coredns, missing, (*kubeapi.Client).CoreDNS, "get " + coredns + ": not found: gone fishing"},

		{"account", account, `{"metadata":{"name":"default"}}`, (*kubeapi.Client).DefaultServiceAccount, ""},
		{"account missing", account, missing, (*kubeapi.Client).DefaultServiceAccount, "get " + account + ": not found: gone fishing"},

		{"gateway", gateway, `{"status":{"conditions":[{"type":"Accepted","status":"True"}]}}`, gatewayClass, ""},
		{"gateway missing", gateway, missing, gatewayClass, `GatewayClass "cpk": not found`},
		{"gateway new", gateway, `{}`, gatewayClass, `GatewayClass "cpk" is not accepted: no condition Accepted yet`},
		{
			"gateway pending", gateway, `{"status":{"conditions":[{"type":"Accepted","status":"Unknown","reason":"Pending","message":"Waiting for controller"}]}}`,
			gatewayClass, `GatewayClass "cpk" is not accepted: Pending: Waiting for controller`,
		},
		{"gateway refused", gateway, "500 oops", gatewayClass, "get " + gateway + ": 500 Internal Server Error: oops"},

		{"ingress", ingress, `{"metadata":{"name":"cpk"}}`, ingressClass, ""},
		{"ingress missing", ingress, missing, ingressClass, `IngressClass "cpk": not found`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			check := test.check(ask(t, answers{test.path: test.answer}))
			err := check.Run(t.Context())
			matches(t, err, test.want)
			if test.answer == missing && !errors.Is(err, kubeapi.ErrNotFound) {
				t.Errorf("got error %v, want one that wraps ErrNotFound", err)
			}
			if check.Name == "" || check.Hint == "" {
				t.Errorf("got name %q and hint %q, want both", check.Name, check.Hint)
			}
		})
	}
}

func nodesReady(want int) func(*kubeapi.Client) kubeapi.Check {
	return func(c *kubeapi.Client) kubeapi.Check { return c.NodesReady(want) }
}

func gatewayClass(c *kubeapi.Client) kubeapi.Check { return c.GatewayClass("cpk") }
func ingressClass(c *kubeapi.Client) kubeapi.Check { return c.IngressClass("cpk") }
