package docker

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/docker/docker/api/types"
	"github.com/docker/docker/api/types/system"
	"github.com/docker/docker/client"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// ask pings the engine and asks what it is.
func (s surroundings) ask(ctx context.Context, api *client.Client) (engine.Endpoint, error) {
	ping, err := api.Ping(ctx)
	if err != nil {
		return engine.Endpoint{}, translate(err)
	}
	api.NegotiateAPIVersionPing(ping)
	version, err := api.ServerVersion(ctx)
	if err != nil {
		return engine.Endpoint{}, translate(err)
	}
	info, err := api.Info(ctx)
	if err != nil {
		return engine.Endpoint{}, translate(err)
	}
	found := engine.Endpoint{
		Host: api.DaemonHost(), Version: version.Version, OS: info.OperatingSystem, Kernel: info.KernelVersion,
		Rootless: slices.ContainsFunc(info.SecurityOptions, isRootless), Remote: s.remote(api.DaemonHost(), info),
	}
	found.Kind, found.Version = product(version)
	found.CgroupVersion, _ = strconv.Atoi(info.CgroupVersion) // 0 when it does not say
	return found, nil
}

// product tells Podman from Docker by the components that the engine lists.
func product(v types.Version) (engine.Kind, string) {
	for _, part := range v.Components {
		if strings.HasPrefix(part.Name, "Podman") {
			return engine.Podman, part.Version
		}
	}
	return engine.Docker, v.Version
}

func isRootless(option string) bool {
	return slices.Contains(strings.Split(option, ","), "name=rootless")
}

// remote says whether containers run on a machine that is not this one.
func (s surroundings) remote(host string, info system.Info) bool {
	path, local := strings.CutPrefix(host, "unix://")
	switch {
	case !local, s.goos != "linux", info.OperatingSystem == "Docker Desktop":
		return true
	case s.kernel != "" && info.KernelVersion != "" && s.kernel != info.KernelVersion:
		return true // two kernels, two machines
	}
	return slices.ContainsFunc(machineFolders(), func(dir string) bool { return strings.Contains(path, dir) })
}

// machineFolders returns the folders where programs that run an engine in a VM keep its socket.
func machineFolders() []string {
	return []string{"/.colima/", "/.lima/", "/.rd/", "/.orbstack/", "/.docker/desktop/", "/podman/machine/"}
}
