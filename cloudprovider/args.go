package cloudprovider

import (
	"strconv"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// arguments returns the controller's flags.
func (c *Controller) arguments(at engine.Endpoint) []string {
	arguments := []string{
		"--gateway-channel=" + c.cfg.GatewayChannel,
		"--enable-default-ingress=" + strconv.FormatBool(c.cfg.IngressDefault),
	}
	if c.portMapping(at) {
		arguments = append(arguments, "--enable-lb-port-mapping=true")
	}
	return arguments
}

// environment returns the controller's environment variables.
func (c *Controller) environment(at engine.Endpoint) []string {
	var env []string
	if c.cfg.ClusterName != "" {
		env = append(env, scopeEnv+"="+c.cfg.ClusterName)
	}
	if at.Kind == engine.Podman {
		// The image has the docker CLI and no other, and Podman's service speaks
		// its API: "podman" here would make every call of the controller fail.
		env = append(env, "KIND_EXPERIMENTAL_PROVIDER=docker")
	}
	if c.cfg.Network != defaultNetwork {
		env = append(env, "KIND_EXPERIMENTAL_DOCKER_NETWORK="+c.cfg.Network)
	}
	if c.cfg.Registry != "" {
		env = append(env, "CLOUD_PROVIDER_KIND_REGISTRY_URL="+c.cfg.Registry)
	}
	return env
}
