package cloudprovider

import (
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// PortMapping says whether the ports of load balancers are also published on
// the engine's host. Published ports are ephemeral; [Controller.LoadBalancers] tells them.
type PortMapping string

// The choices of port mapping.
const (
	// PortMappingAuto publishes ports where a load balancer's own address is
	// not reachable from here: anywhere but with a rootful engine that runs natively on Linux.
	PortMappingAuto PortMapping = ""
	PortMappingOn   PortMapping = "on"
	PortMappingOff  PortMapping = "off"
)

func checkPortMapping(p PortMapping) error {
	if p == PortMappingAuto {
		return nil
	}
	return checkOneOf("PortMapping", string(p), string(PortMappingOn), string(PortMappingOff), "")
}

// portMapping decides whether ports are published.
func (c *Controller) portMapping(at engine.Endpoint) bool {
	switch c.cfg.PortMapping {
	case PortMappingOn:
		return true
	case PortMappingOff:
		return false
	default:
		return c.goos != "linux" || at.Remote || at.Rootless || isWSL2(at.Kernel)
	}
}

// isWSL2 recognises Microsoft's kernel, in which container addresses are not
// reachable from Windows, where the browser is.
func isWSL2(kernel string) bool {
	kernel = strings.ToLower(kernel)
	return strings.Contains(kernel, "microsoft") || strings.Contains(kernel, "wsl2")
}
