package templates

// Cluster says what a kind cluster is made of. The zero value is one control
// plane, which also runs the workload, on kind's default node image.
//
// The cluster's name is not part of it: kind takes it apart from the
// configuration, so that one configuration serves any number of clusters.
type Cluster struct {
	// NodeImage is the image of every node. Default: the one that this version of kind is made for.
	NodeImage string

	// ControlPlanes is the number of control-plane nodes, 1 by default. With
	// more than one, kind adds a load balancer in front of them, whose image
	// (kindest/haproxy or Envoy, by kind's version) must be present or pullable.
	ControlPlanes int

	// Workers is the number of worker nodes, 0 by default. With none, the
	// workload runs on the control plane.
	Workers int

	// Ports of the host that lead into the cluster's first node. Services of
	// type LoadBalancer need none.
	Ports []PortMapping

	// Mounts are folders or files of the host that every node sees.
	Mounts []Mount

	// FeatureGates of Kubernetes, for every component: name to on or off.
	FeatureGates map[string]bool

	// IPFamily is "ipv4" (the default), "ipv6" or "dual".
	IPFamily string

	// PodSubnet and ServiceSubnet are where pods and Services get their
	// addresses from, in CIDR notation. With IPFamily "dual", one of each
	// family, separated by a comma. Defaults: kind's, 10.244.0.0/16 and 10.96.0.0/16.
	PodSubnet, ServiceSubnet string

	// APIServerAddress is the host's address that the API server listens on.
	// Default 127.0.0.1. Anything else opens the cluster to the network.
	APIServerAddress string

	// APIServerPort is the host's port of the API server. Default 0: a free one.
	APIServerPort int

	// KubeadmPatches are merge patches, in YAML, for the configuration that
	// kubeadm gets. Each says by its field kind which document it is for:
	// ClusterConfiguration, InitConfiguration, JoinConfiguration,
	// KubeletConfiguration or KubeProxyConfiguration.
	KubeadmPatches []string

	// ContainerdPatches are merge patches, in TOML, for the nodes' containerd.
	ContainerdPatches []string

	// FailCgroupV1Off adds `failCgroupV1: false` to the kubelet's configuration.
	// From 1.35 the kubelet refuses to start on an engine with cgroup v1
	// without it; before 1.31 it does not know the field.
	FailCgroupV1Off bool
}

// PortMapping leads from a port of the host to a port of the first node.
type PortMapping struct {
	// ContainerPort is the node's port, 1 to 65535.
	ContainerPort int
	// HostPort is the host's port. Default 0: a free one that kind picks; -1: one that the engine picks.
	HostPort int
	// ListenAddress is the host's address. Default 127.0.0.1 (kind's own default, 0.0.0.0, is open to the network).
	ListenAddress string
	// Protocol is TCP (the default), UDP or SCTP.
	Protocol string
}

// Mount shows a folder or file of the host in every node.
type Mount struct {
	// HostPath is its path on the host, absolute: the engine resolves it.
	HostPath string
	// ContainerPath is its path in the node, absolute.
	ContainerPath string
	// ReadOnly keeps the node from writing to it.
	ReadOnly bool
}
