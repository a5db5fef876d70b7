package docker_test

import (
	"net/http"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// newPodman starts a daemon that says what Podman's service says.
func newPodman(t *testing.T) *daemon {
	t.Helper()
	d := newDaemon(t)
	d.answer("GET /version", http.StatusOK, map[string]any{
		"Version": "4.3.1", "Components": []map[string]any{{"Name": "Podman Engine", "Version": "4.3.1"}, {"Name": "Conmon"}},
	})
	d.answer("GET /info", http.StatusOK, map[string]any{
		"OperatingSystem": "debian", "KernelVersion": "6.1.0", "CgroupVersion": "2",
		"SecurityOptions": []string{"name=seccomp,profile=default", "name=rootless"},
	})
	return d
}

func TestEndpoint(t *testing.T) {
	t.Parallel()
	whale, seal := newDaemon(t), newPodman(t)
	for _, c := range []struct {
		d    *daemon
		want engine.Endpoint
	}{
		{whale, engine.Endpoint{
			Host: whale.host, Kind: engine.Docker, Version: "20.10.24", OS: "Debian GNU/Linux 12 (bookworm)",
			Kernel: "6.1.0", CgroupVersion: 1,
		}},
		{seal, engine.Endpoint{
			Host: seal.host, Kind: engine.Podman, Version: "4.3.1", OS: "debian", Kernel: "6.1.0", Rootless: true, CgroupVersion: 2,
		}},
	} {
		e, err := docker.Host{GOOS: "linux", Kernel: "6.1.0"}.Open(t.Context(), docker.Options{Host: c.d.host})
		check(t, err)
		if got := e.Endpoint(); got != c.want {
			t.Errorf("got  %+v\nwant %+v", got, c.want)
		}
		check(t, e.Close())
	}
}

func TestEndpointIsRemote(t *testing.T) {
	t.Parallel()
	d, desktop := newDaemon(t), newDaemon(t)
	desktop.answer("GET /info", http.StatusOK, map[string]any{"OperatingSystem": "Docker Desktop", "KernelVersion": "6.1.0"})
	for name, c := range map[string]struct {
		host docker.Host
		d    *daemon
		want bool
	}{
		"this machine":      {docker.Host{GOOS: "linux", Kernel: "6.1.0"}, d, false},
		"unknown kernel":    {docker.Host{GOOS: "linux"}, d, false},
		"another kernel":    {docker.Host{GOOS: "linux", Kernel: "6.12.0"}, d, true},
		"no Linux here":     {docker.Host{GOOS: "darwin"}, d, true},
		"Docker Desktop":    {docker.Host{GOOS: "linux", Kernel: "6.1.0"}, desktop, true},
		"through a network": {docker.Host{GOOS: "linux", Kernel: "6.1.0"}, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := ""
			if c.d != nil {
				host = c.d.host
			} else {
				host = overTCP(t, d)
			}
			e, err := c.host.Open(t.Context(), docker.Options{Host: host})
			check(t, err)
			defer e.Close()
			if got := e.Endpoint().Remote; got != c.want {
				t.Errorf("got %t, want %t", got, c.want)
			}
		})
	}
}
