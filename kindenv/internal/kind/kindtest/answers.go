package kindtest

import (
	"fmt"
	"strings"
)

// The paths that readiness asks for.
const (
	PathReady          = "/readyz"
	PathVersion        = "/version"
	PathNodes          = "/api/v1/nodes"
	PathServices       = "/api/v1/services"
	PathSystem         = "/api/v1/namespaces/kube-system"
	PathLeases         = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/" // and the node's name
	PathLeaders        = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/"     // and the part's name
	PathCoreDNS        = "/apis/apps/v1/namespaces/kube-system/deployments/coredns"
	PathServiceAccount = "/api/v1/namespaces/default/serviceaccounts/default"
	PathGatewayClass   = "/apis/gateway.networking.k8s.io/v1/gatewayclasses/cloud-provider-kind"
	PathIngressClass   = "/apis/networking.k8s.io/v1/ingressclasses/cloud-provider-kind"
)

// readyAnswers are those of a cluster where all is well.
func readyAnswers(nodes []string) map[string]string {
	items := make([]string, len(nodes))
	for i, name := range nodes {
		items[i] = Node(name, true)
	}
	answers := map[string]string{
		PathReady:            "ok",
		PathVersion:          `{"gitVersion":"v1.37.2"}`,
		PathNodes:            List(items...),
		PathServices:         List(),
		PathSystem + "/pods": List(),
		PathSystem:           `{}`,
		PathCoreDNS:          `{"status":{"replicas":2,"availableReplicas":2,"conditions":[{"type":"Available","status":"True"}]}}`,
		PathServiceAccount:   `{}`,
		PathGatewayClass:     `{"status":{"conditions":[{"type":"Accepted","status":"True"}]}}`,
		PathIngressClass:     `{}`,
	}
	for _, part := range []string{"kube-controller-manager", "kube-scheduler"} {
		answers[PathLeaders+part] = Renewed
	}
	for _, name := range nodes {
		answers[PathLeases+name] = `{"spec":{"renewTime":"2199-01-01T00:00:00.000000Z"}}`
	}
	return answers
}

// List is a list of objects in JSON.
func List(items ...string) string {
	return `{"items":[` + strings.Join(items, ",") + `]}`
}

// Node is a node in JSON.
func Node(name string, ready bool) string {
	status := "True"
	if !ready {
		status = "False"
	}
	return fmt.Sprintf(`{"metadata":{"name":%q,"labels":{"node-role.kubernetes.io/control-plane":""}},
		"status":{"conditions":[{"type":"Ready","status":%q,"reason":"KubeletNotReady","message":"cni plugin not initialized"}],
		"nodeInfo":{"kubeletVersion":"v1.37.2"}}}`, name, status)
}

// Balancer is a Service of type LoadBalancer in JSON; address may be empty.
func Balancer(namespace, name, address string) string {
	ingress := ""
	if address != "" {
		ingress = fmt.Sprintf(`{"ip":%q}`, address)
	}
	return fmt.Sprintf(`{"metadata":{"namespace":%q,"name":%q},
		"spec":{"type":"LoadBalancer","ports":[{"port":80,"protocol":"TCP"}]},
		"status":{"loadBalancer":{"ingress":[%s]}}}`, namespace, name, ingress)
}
