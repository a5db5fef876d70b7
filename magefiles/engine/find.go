package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// wellKnownSocket is where the host's Docker engine usually listens.
const wellKnownSocket = "/var/run/docker.sock"

// client is an engine to ask things.
type client interface {
	engine.Engine
	Close() error
}

func open(ctx context.Context, host string) (client, error) {
	return docker.Open(ctx, docker.Options{Host: host})
}

// endpoint describes the engine at host; empty: the one that the environment points to.
func (m *maker) endpoint(ctx context.Context, host string) (engine.Endpoint, error) {
	e, err := m.open(ctx, host)
	if err != nil {
		return engine.Endpoint{}, err
	}
	return e.Endpoint(), e.Close()
}

// running returns the names of the containers of the engine at host that run or are paused.
func (m *maker) running(ctx context.Context, host string) ([]string, error) {
	e, err := m.open(ctx, host)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	all, err := e.List(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("listing the containers of the engine at %q: %w", host, err)
	}
	var names []string
	for _, c := range all {
		switch c.State {
		case engine.Running, engine.Paused, engine.Restarting:
			names = append(names, c.Name)
		}
	}
	return names, nil
}

// candidate is the engine to try first.
type candidate struct {
	host string // empty: none answers
	own  bool
	// beside is true for a Docker engine that shares this host's iptables with one of ours.
	beside bool
	// reason says why it can't be used; nil as long as it was not tried.
	reason error
}

// find returns the engine to try first. One in another machine that
// DOCKER_HOST names must answer.
func (m *maker) find(ctx context.Context) (candidate, error) {
	if own, err := m.findOwn(ctx); own || err != nil {
		return candidate{host: m.host(), own: own}, err
	}
	explicit := m.env("DOCKER_HOST")
	host := explicit
	if explicit == m.host() {
		host = wellKnownHost() // ours has been stopped meanwhile
	}
	endpoint, err := m.endpoint(ctx, host)
	switch {
	case err == nil:
		return candidate{host: endpoint.Host, beside: sharesRules(endpoint)}, nil
	case ctx.Err() != nil || !errors.Is(err, engine.ErrUnavailable):
		return candidate{}, err
	case explicit != "" && !strings.HasPrefix(explicit, "unix://"):
		return candidate{}, fmt.Errorf("DOCKER_HOST names an engine that does not answer: start it, or unset DOCKER_HOST: %w", err)
	case explicit != "":
		m.say("DOCKER_HOST is %q, where no engine answers", explicit)
	default:
		m.say("no container engine answers")
	}
	return candidate{reason: err}, nil
}

// findOwn says whether our own engine is the one to use. One that does not
// answer, since somebody killed it, or it hangs, is ended.
func (m *maker) findOwn(ctx context.Context) (bool, error) {
	if !m.chosen() {
		return false, nil
	}
	err := m.answers(ctx)
	if err == nil || ctx.Err() != nil {
		return err == nil, err
	}
	m.say("our own engine does not answer, and makes way for a new one: %v", err)
	return false, m.end(ctx, orphanBudget)
}

func wellKnownHost() string { return "unix://" + wellKnownSocket }

// sharesRules says whether an engine changes the iptables rules of this host.
// Podman and rootless engines don't touch Docker's chains.
func sharesRules(e engine.Endpoint) bool {
	return e.Kind == engine.Docker && !e.Rootless && !e.Remote && strings.HasPrefix(e.Host, "unix://")
}

// neighbours returns the addresses of the Docker engines that answer and share
// the host's iptables with one of ours: the one found, the one at the
// well-known socket, and those of other cache folders.
func (m *maker) neighbours(ctx context.Context, found candidate) []string {
	var hosts []string
	if found.beside {
		hosts = append(hosts, found.host)
	}
	sockets, _ := filepath.Glob(filepath.Join(filepath.Dir(m.run), "*", filepath.Base(m.socket()))) // the pattern is valid
	for _, socket := range append(sockets, wellKnownSocket) {
		host := "unix://" + socket
		if socket == m.socket() || sameSocket(hosts, socket) {
			continue
		}
		if endpoint, err := m.endpoint(ctx, host); err == nil && sharesRules(endpoint) {
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
