// Package kind is the one place that talks to sigs.k8s.io/kind. It adds what
// that library lacks: a context on every call, errors that keep the failed
// command with its output and say what to do, loading an image archive for the
// node's platform alone, and a look into a config before it is used.
package kind

import (
	"sigs.k8s.io/kind/pkg/apis/config/defaults"
)

// DefaultImage is the node image that this version of kind uses by default.
const DefaultImage = defaults.Image

// LoadBalancerImage is the image of the load balancer that kind puts before
// several control planes (pkg/cluster/internal/loadbalancer of kind v0.33).
const LoadBalancerImage = "docker.io/envoyproxy/envoy:v1.36.2"

// The labels of a node container, and the roles that the second one names
// (pkg/cluster/internal/providers/docker/constants.go, pkg/cluster/constants).
const (
	LabelCluster = "io.x-k8s.kind.cluster"
	LabelRole    = "io.x-k8s.kind.role"

	RoleControlPlane = "control-plane"
	RoleWorker       = "worker"
	RoleLoadBalancer = "external-load-balancer"
)

// APIServerPort is the port of the API server inside a control-plane node.
const APIServerPort = 6443

// Context is the kubeconfig context of a cluster, as kind names it.
func Context(cluster string) string { return "kind-" + cluster }
