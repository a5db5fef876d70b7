package templates

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

const maxPort = 65535

func (c Cluster) validateNetwork() error {
	var errs []error
	if !slices.Contains([]string{"", "ipv4", "ipv6", "dual"}, c.IPFamily) {
		return fmt.Errorf(`IPFamily is %q: it takes "ipv4" (the default), "ipv6" or "dual"`, c.IPFamily)
	}
	pods, err := c.subnets("PodSubnet", c.PodSubnet)
	errs = append(errs, err)
	services, err := c.subnets("ServiceSubnet", c.ServiceSubnet)
	errs = append(errs, err)
	for _, p := range pods {
		if i := slices.IndexFunc(services, p.Overlaps); i >= 0 {
			errs = append(errs, fmt.Errorf("PodSubnet %s and ServiceSubnet %s overlap: give each a range of its own", p, services[i]))
		}
	}
	if c.APIServerAddress != "" {
		errs = append(errs, address("APIServerAddress", c.APIServerAddress))
	}
	if c.APIServerPort < -1 || c.APIServerPort > maxPort {
		errs = append(errs, fmt.Errorf("APIServerPort is %d: it takes 1 to %d, or 0 for a free port", c.APIServerPort, maxPort))
	}
	return errors.Join(errs...)
}

// subnets reads one of the two subnet fields by kind's rules: one range of the
// cluster's family; a dual-stack cluster may have a second one, of the other family.
func (c Cluster) subnets(field, value string) ([]netip.Prefix, error) {
	if value == "" {
		return nil, nil
	}
	var found []netip.Prefix
	for part := range strings.SplitSeq(value, ",") {
		p, err := netip.ParsePrefix(part)
		if err != nil {
			return nil, fmt.Errorf("%s is %q: write it in CIDR notation, like 10.42.0.0/16", field, value)
		}
		found = append(found, p.Masked())
	}
	if c.IPFamily == "dual" {
		if len(found) > 2 || len(found) == 2 && found[0].Addr().Is4() == found[1].Addr().Is4() {
			return nil, fmt.Errorf("%s is %q: with IPFamily \"dual\" it takes one range, or one of each family, like 10.42.0.0/16,fd00:42::/56", field, value)
		}
		return found, nil
	}
	wants6 := c.IPFamily == "ipv6"
	if len(found) != 1 || found[0].Addr().Is6() != wants6 {
		family := "IPv4"
		if wants6 {
			family = "IPv6"
		}
		return nil, fmt.Errorf("%s is %q: with IPFamily %q it takes one %s range; set IPFamily for another", field, value, c.IPFamily, family)
	}
	return found, nil
}

func (c Cluster) validatePorts() (errs []error) {
	for i, p := range c.Ports {
		field := fmt.Sprintf("Ports[%d]", i)
		if p.ContainerPort < 1 || p.ContainerPort > maxPort {
			errs = append(errs, fmt.Errorf("%s.ContainerPort is %d: it takes 1 to %d", field, p.ContainerPort, maxPort))
		}
		if p.HostPort < -1 || p.HostPort > maxPort {
			errs = append(errs, fmt.Errorf("%s.HostPort is %d: it takes 1 to %d, 0 for a free port, or -1 for one that the engine picks", field, p.HostPort, maxPort))
		}
		p = p.withDefaults()
		if err := address(field+".ListenAddress", p.ListenAddress); err != nil {
			errs = append(errs, err)
		}
		if !slices.Contains([]string{"TCP", "UDP", "SCTP"}, p.Protocol) {
			errs = append(errs, fmt.Errorf("%s.Protocol is %q: it takes TCP (the default), UDP or SCTP", field, p.Protocol))
		}
		if j := slices.IndexFunc(c.Ports[:i], p.collides); j >= 0 {
			errs = append(errs, fmt.Errorf("%s and Ports[%d] both listen on %s port %d: give each a host port or address of its own", field, j, p.Protocol, p.HostPort))
		}
	}
	return errs
}

// collides reports whether both mappings want the same port of the host. An
// unspecified address takes the port on all of them.
func (p PortMapping) collides(other PortMapping) bool {
	other = other.withDefaults()
	if p.HostPort <= 0 || p.HostPort != other.HostPort || p.Protocol != other.Protocol {
		return false
	}
	a, errA := netip.ParseAddr(p.ListenAddress)
	b, errB := netip.ParseAddr(other.ListenAddress)
	if errA != nil || errB != nil {
		return false // said already
	}
	return a == b || a.IsUnspecified() || b.IsUnspecified()
}

func address(field, value string) error {
	if _, err := netip.ParseAddr(value); err != nil {
		return fmt.Errorf("%s is %q: give an IP address, like 127.0.0.1", field, value)
	}
	return nil
}
