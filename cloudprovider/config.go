package cloudprovider

import (
	"context"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// DefaultImage is the upstream image of cloud-provider-kind.
const DefaultImage = "registry.k8s.io/cloud-provider-kind/cloud-controller-manager:v0.10.0"

const (
	defaultNetwork        = "kind"
	defaultGatewayChannel = "standard"
)

// Config says how the cloud provider runs. Start from [DefaultConfig]: the
// zero value differs from it in IngressDefault alone.
type Config struct {
	// Image is the cloud provider's image, a reference or a local image's ID.
	// Default: [DefaultImage].
	Image string
	// Network is the network that the cluster's nodes are in. It must exist;
	// kind makes it with the first cluster. Default: "kind".
	Network string
	// GatewayChannel is the Gateway API's release channel: "standard" (the
	// default), "experimental", or "disabled", which turns the Gateway API
	// and Ingress off.
	GatewayChannel string
	// IngressDefault makes the provider's IngressClass the cluster's default
	// one. It takes effect when the class is first created. It is false in the
	// zero value and true in [DefaultConfig], as it is upstream.
	IngressDefault bool
	// SocketPath is the engine's socket as the engine's daemon sees it: it is
	// mounted into the controller's container. Empty: derived from the
	// engine's endpoint, where that says enough.
	SocketPath string
	// ClusterName limits the controller to one kind cluster: it sees, serves and cleans up no
	// other, and Stop removes this cluster's load balancers with it. Empty:
	// the controller serves every kind cluster on the engine.
	ClusterName string

	// Registry is a mirror of docker.io, such as "mirror.example.com" or
	// "mirror.example.com:5000/hub", that the proxies' image comes from.
	// Empty: docker.io itself.
	Registry string
	// PortMapping says whether load balancers are published on the engine's
	// host too. Default: [PortMappingAuto].
	PortMapping PortMapping
	// CacheDir is a folder in which the name of the proxies' image is
	// remembered by the ID of the controller's image. Empty: it is asked anew
	// by each Controller, which takes about a second.
	CacheDir string
	// ResolveImage is asked for an image that is neither on the engine nor can
	// be pulled, and may return the reference of one that now is on the
	// engine. It is asked for Image, and for the proxies' image, which must
	// then be there under its own name. May be nil.
	ResolveImage func(ctx context.Context, ref string) (string, error)
	// Progress follows the pulls; it is called from one goroutine at a time.
	// May be nil.
	Progress func(image string, progress engine.PullProgress)
	// Notice gets what the user should know but what is no error, a sentence
	// at a time. May be nil.
	Notice func(message string)
}

// DefaultConfig returns the configuration that upstream's own defaults give,
// with the default IngressClass enabled.
func DefaultConfig() Config {
	return Config{
		Image:          DefaultImage,
		Network:        defaultNetwork,
		GatewayChannel: defaultGatewayChannel,
		IngressDefault: true,
	}
}

// withDefaults fills what is empty and has a default.
func (c Config) withDefaults() Config {
	c.Image = or(c.Image, DefaultImage)
	c.Network = or(c.Network, defaultNetwork)
	c.GatewayChannel = or(c.GatewayChannel, defaultGatewayChannel)
	return c
}

func or(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}

func (c Config) notice(message string) {
	if c.Notice != nil {
		c.Notice(message)
	}
}
