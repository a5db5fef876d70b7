//go:build integration

package docker_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/docker/docker/api/types/container"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// unique returns a container's name and the labels that find it.
func unique() (string, map[string]string) {
	mark := strings.ToLower(rand.Text()[:12])
	return "magekind-contract-" + mark, map[string]string{enginetest.SuiteLabel: mark}
}

// startWith runs a container that needs what engine.Spec does not offer.
func startWith(t *testing.T, e *docker.Engine, cfg container.Config, host container.HostConfig) map[string]string {
	t.Helper()
	name, labels := unique()
	cfg.Image, cfg.Labels = suiteImage(t, e), labels
	made, err := e.API().ContainerCreate(t.Context(), &cfg, &host, nil, nil, name)
	check(t, err)
	t.Cleanup(func() { check(t, e.Remove(context.Background(), made.ID)) })
	check(t, e.Start(t.Context(), made.ID))
	return labels
}

// one returns the one container with these labels once it is as wanted.
func one(t *testing.T, e *docker.Engine, labels map[string]string, state engine.State) engine.Container {
	t.Helper()
	var c engine.Container
	check(t, retry.Until(t.Context(), 0, func(ctx context.Context) error {
		found, err := e.List(ctx, labels)
		if err != nil || len(found) != 1 {
			return retry.Stop(fmt.Errorf("got %d containers, %w", len(found), err))
		}
		if c = found[0]; c.State != state {
			return fmt.Errorf("it is %s", c.State)
		}
		return nil
	}))
	return c
}

func TestLogsOfATerminal(t *testing.T) {
	t.Parallel()
	e := open(t)
	labels := startWith(t, e, container.Config{Tty: true, Cmd: []string{"out=one", "err=two"}}, container.HostConfig{})
	c := one(t, e, labels, engine.Exited)
	var out bytes.Buffer
	check(t, e.Logs(t.Context(), c.ID, engine.LogOptions{}, &out))
	if got, want := out.String(), "one\r\ntwo\r\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPublishedPortsAreDescribed(t *testing.T) {
	t.Parallel()
	e := open(t)
	cfg, host := container.Config{Cmd: []string{"wait"}}, container.HostConfig{}
	check(t, json.Unmarshal([]byte(`{"ExposedPorts": {"8080/tcp": {}}}`), &cfg))
	check(t, json.Unmarshal([]byte(`{"PortBindings": {"8080/tcp": [{"HostIp": "127.0.0.1"}]}}`), &host))
	labels := startWith(t, e, cfg, host)
	c := one(t, e, labels, engine.Running)
	if len(c.Ports) != 1 {
		t.Fatalf("got %+v, want one port", c.Ports)
	}
	p := c.Ports[0]
	if p.ContainerPort != 8080 || p.Protocol != "tcp" || p.Host.Addr().String() != "127.0.0.1" || p.Host.Port() == 0 {
		t.Errorf("got %+v", p)
	}
}

func TestMountsAreTheDaemonsPaths(t *testing.T) {
	t.Parallel()
	e := open(t)
	name, labels := unique()
	id, err := e.Create(t.Context(), engine.Spec{
		Name: name, Image: suiteImage(t, e), Labels: labels, Command: []string{"stat=/host/etc", "cat=/host/proc/version"},
		Mounts: []engine.Mount{{Source: "/", Target: "/host", ReadOnly: true}},
	})
	check(t, err)
	t.Cleanup(func() { check(t, e.Remove(context.Background(), id)) })
	check(t, e.Start(t.Context(), id))
	var out bytes.Buffer
	if c := one(t, e, labels, engine.Exited); c.ExitCode != 0 {
		t.Errorf("exit code %d", c.ExitCode)
	}
	check(t, e.Logs(t.Context(), id, engine.LogOptions{}, &out))
	if !strings.HasPrefix(out.String(), "drwxr-xr-x 0:0\n") {
		t.Errorf("got %q, want the mode of the machine's /etc", out.String())
	}
}

func TestEndpointOfARealEngine(t *testing.T) {
	t.Parallel()
	at := open(t).Endpoint()
	if at.Host == "" || at.Kind == "" || at.Version == "" || at.OS == "" || at.Kernel == "" || at.CgroupVersion == 0 {
		t.Errorf("got %+v, want all of it", at)
	}
	_, err := docker.Open(t.Context(), docker.Options{Host: at.Host, Kind: at.Kind})
	check(t, err)
}
