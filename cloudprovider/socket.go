package cloudprovider

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

// daemonSocket is where a Docker daemon's socket is by default, and where the
// docker CLI in the controller's image looks for it.
const daemonSocket = "/var/run/docker.sock"

// podmanSocket is where the socket of Podman's system service is.
const podmanSocket = "/run/podman/podman.sock"

// socket returns the source of the socket's mount, which the engine's daemon
// resolves, not the client: in a VM it is not the path that was dialled.
func (c *Controller) socket(at engine.Endpoint) (string, error) {
	if c.cfg.SocketPath != "" {
		return c.cfg.SocketPath, nil
	}
	path, err := c.deriveSocket(at)
	if err != nil {
		return "", fmt.Errorf("finding the engine's socket for the cloud provider: %w; set SocketPath to its path on the daemon's side", err)
	}
	return path, nil
}

func (c *Controller) deriveSocket(at engine.Endpoint) (string, error) {
	if at.Rootless {
		return "", errors.New("the engine is rootless: its socket can't be used as is from within a container")
	}
	host, err := url.Parse(at.Host)
	if err != nil {
		return "", fmt.Errorf("the endpoint %q is no URL", redact.URL(at.Host)) // the cause quotes it
	}
	switch {
	case host.Scheme == "unix" && c.goos == "linux" && !at.Remote:
		return host.Path, nil
	case host.Scheme == "ssh" && strings.Trim(host.Path, "/") != "":
		return host.Path, nil // of a socket on the machine that ssh goes to
	case host.Scheme == "unix" || host.Scheme == "ssh" || isDesktop(at.OS):
		return defaultSocket(at.Kind), nil
	}
	return "", fmt.Errorf("the endpoint %q says nothing about it", redact.URL(at.Host))
}

// isDesktop recognises the products whose VM has the socket in its default place.
func isDesktop(os string) bool {
	for _, product := range []string{"Docker Desktop", "OrbStack", "Rancher Desktop"} {
		if strings.Contains(os, product) {
			return true
		}
	}
	return false
}

func defaultSocket(kind engine.Kind) string {
	if kind == engine.Podman {
		return podmanSocket
	}
	return daemonSocket
}
