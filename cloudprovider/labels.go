package cloudprovider

import "github.com/magekind/magekind/cloudprovider/engine"

// The labels that cloud-provider-kind gives its load balancers' containers.
const (
	LabelCluster      = "io.x-k8s.cloud-provider-kind.cluster"           // value: the cluster's name
	LabelLoadBalancer = "io.x-k8s.cloud-provider-kind.loadbalancer.name" // value: cluster/namespace/Service
	LabelGateway      = "io.x-k8s.cloud-provider-kind.gateway.name"      // value: cluster/namespace/Gateway
)

// The labels of our own containers. So that versions of this module find each
// other's: LabelOwner is on the controller and its helpers, on nothing else, and
// never gets another name; a helper's role begins with "cloud-provider-"; a
// container with LabelOwner and any other role, or none, is a controller.
const (
	LabelOwner = "io.magekind.cluster" // value: Config.ClusterName, empty for an engine-wide controller
	LabelRole  = "io.magekind.role"    // value: RoleController for the controller
	// RoleController is the controller's LabelRole.
	RoleController = "cloud-provider"

	labelPrefix   = "io.magekind."
	labelSettings = labelPrefix + "settings"
	helperPrefix  = RoleController + "-"
	roleQuestion  = helperPrefix + "list-images"
)

// kind's labels on its nodes.
const (
	labelNodeCluster = "io.x-k8s.kind.cluster"
	labelNodeRole    = "io.x-k8s.kind.role"
	roleControlPlane = "control-plane"
)

// carries reports whether container has every one of labels with exactly that
// value. An engine's list takes an empty value for "any".
func carries(container engine.Container, labels map[string]string) bool {
	for key, want := range labels {
		if got, ok := container.Labels[key]; !ok || got != want {
			return false
		}
	}
	return true
}
