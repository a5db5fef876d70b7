package docker

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// describe translates what the API says about a container.
func describe(from container.InspectResponse) engine.Container {
	c := engine.Container{Labels: map[string]string{}}
	if base := from.ContainerJSONBase; base != nil {
		c.ID, c.Name = base.ID, strings.TrimPrefix(base.Name, "/")
		c.ImageID, c.RestartCount, c.CreatedAt = base.Image, base.RestartCount, moment(base.Created)
		c.Command = append([]string{base.Path}, base.Args...)
		if s := base.State; s != nil {
			c.State, c.ExitCode, c.OOMKilled, c.Error = state(s.Status), s.ExitCode, s.OOMKilled, s.Error
			c.StartedAt, c.EndedAt = moment(s.StartedAt), moment(s.FinishedAt)
		}
	}
	if from.Config != nil {
		c.Image, c.Hostname = from.Config.Image, from.Config.Hostname
		if from.Config.Labels != nil {
			c.Labels = from.Config.Labels
		}
	}
	c.Networks, c.Ports = attachments(from.NetworkSettings), ports(from.NetworkSettings)
	if c.State != engine.Running && c.State != engine.Paused {
		for i := range c.Networks { // Podman, and a Docker that was killed, report those of the last run
			c.Networks[i] = engine.Attachment{Network: c.Networks[i].Network}
		}
		c.Ports = nil
	}
	return c
}

// state translates the states that only Podman has.
func state(s container.ContainerState) engine.State {
	switch s {
	case "configured", "initialized":
		return engine.Created
	case "stopping":
		return engine.Running
	case "stopped":
		return engine.Exited
	}
	return engine.State(s)
}

func attachments(settings *container.NetworkSettings) []engine.Attachment {
	if settings == nil {
		return nil
	}
	var all []engine.Attachment
	for name, at := range settings.Networks {
		a := engine.Attachment{Network: name}
		if at != nil {
			a.NetworkID = at.NetworkID
			a.IPv4, _ = netip.ParseAddr(at.IPAddress) // empty while it does not run
			a.IPv6, _ = netip.ParseAddr(at.GlobalIPv6Address)
		}
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b engine.Attachment) int { return strings.Compare(a.Network, b.Network) })
	return all
}

func ports(settings *container.NetworkSettings) []engine.Port {
	if settings == nil {
		return nil
	}
	var all []engine.Port
	for inside, bindings := range settings.Ports {
		for _, b := range bindings {
			host, err := strconv.ParseUint(b.HostPort, 10, 16)
			if err != nil {
				continue
			}
			address, err := netip.ParseAddr(b.HostIP)
			if err != nil { // Podman says nothing for every address
				address = netip.IPv4Unspecified()
			}
			all = append(all, engine.Port{
				Host:          netip.AddrPortFrom(address, uint16(host)),
				ContainerPort: uint16(inside.Int()), Protocol: inside.Proto(),
			})
		}
	}
	slices.SortFunc(all, func(a, b engine.Port) int {
		return cmp.Or(cmp.Compare(a.ContainerPort, b.ContainerPort), strings.Compare(a.Protocol, b.Protocol), a.Host.Compare(b.Host))
	})
	return all
}

// moment parses a time. The API's zero time, and none, are the zero Time.
func moment(s string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, s)
	return t
}
