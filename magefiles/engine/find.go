package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// wellKnownSocket is where the host's Docker engine usually listens.
const wellKnownSocket = "/var/run/docker.sock"

// candidate is an engine that answers.
type candidate struct {
	host string
	own  bool
	// beside is true for a Docker engine that shares this host's iptables with one of ours.
	beside bool
}

// find returns the engine to try first, nil when none answers. An engine that
// DOCKER_HOST names explicitly in another machine must answer.
func (m *maker) find(ctx context.Context) (*candidate, error) {
	explicit := m.env("DOCKER_HOST")
	if (explicit == "" || explicit == m.host()) && m.pid() != 0 {
		return &candidate{host: m.host(), own: true}, nil
	}
	if explicit == m.host() {
		return nil, nil // our own, stopped meanwhile
	}
	endpoint, err := m.open(ctx, "")
	switch {
	case err == nil:
		return &candidate{host: endpoint.Host, beside: sharesRules(endpoint)}, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("looking for an engine: %w", context.Cause(ctx))
	case explicit != "" && !strings.HasPrefix(explicit, "unix://"):
		return nil, fmt.Errorf("DOCKER_HOST is %q, where no engine answers: start it, or unset DOCKER_HOST to use one of this machine: %w", explicit, err)
	case explicit != "":
		m.say("DOCKER_HOST is %q, where no engine answers", explicit)
	}
	return nil, nil
}

// sharesRules says whether an engine changes the iptables rules of this host.
// Podman and rootless engines don't touch Docker's chains.
func sharesRules(e engine.Endpoint) bool {
	return e.Kind == engine.Docker && !e.Rootless && !e.Remote && strings.HasPrefix(e.Host, "unix://")
}

// neighbours returns the addresses of the Docker engines that answer and share
// the host's iptables with one of ours: the one found, the one at the
// well-known socket, and those of other cache folders.
func (m *maker) neighbours(ctx context.Context, found *candidate) []string {
	var hosts []string
	if found != nil && found.beside {
		hosts = append(hosts, found.host)
	}
	sockets, _ := filepath.Glob(filepath.Join(filepath.Dir(m.run), "*", filepath.Base(m.socket()))) // the pattern is valid
	for _, socket := range append(sockets, wellKnownSocket) {
		host := "unix://" + socket
		if socket == m.socket() || sameSocket(hosts, socket) {
			continue
		}
		if endpoint, err := m.open(ctx, host); err == nil && sharesRules(endpoint) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// sameSocket says whether a host is the socket, perhaps by another name (/var/run is /run).
func sameSocket(hosts []string, socket string) bool {
	info, err := os.Stat(socket)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(hosts, func(host string) bool {
		other, err := os.Stat(strings.TrimPrefix(host, "unix://"))
		return err == nil && os.SameFile(info, other)
	})
}
