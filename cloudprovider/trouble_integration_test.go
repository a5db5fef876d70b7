//go:build integration

package cloudprovider_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// started is a lab with its controller, which serves.
func started(t *testing.T) (lab, *cloudprovider.Controller, cloudprovider.Status) {
	t.Helper()
	l := newLab(t, "serve")
	c := l.controller()
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return l, c, l.status(c)
}

func (l lab) status(c *cloudprovider.Controller) cloudprovider.Status {
	l.t.Helper()
	status, err := c.Status(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	return status
}

// reach waits until the controller's status is as wanted.
func (l lab) reach(c *cloudprovider.Controller, ok func(cloudprovider.Status) bool) cloudprovider.Status {
	l.t.Helper()
	var status cloudprovider.Status
	err := retry.Until(l.t.Context(), time.Minute, func(ctx context.Context) (err error) {
		if status, err = c.Status(ctx); err == nil && !ok(status) {
			err = fmt.Errorf("it is %+v", status)
		}
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return status
}

// again is a controller that runs after the engine has restarted it, and served before.
func again(s cloudprovider.Status) bool {
	return s.State == engine.Running && s.Restarts > 0 && len(s.Clusters) == 1
}

// mends has Start make a controller that serves and is as it should be, and no second one.
func (l lab) mends(c *cloudprovider.Controller, before cloudprovider.Status) {
	l.t.Helper()
	if err := c.Start(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	if err := retry.Until(l.t.Context(), time.Minute, c.Attached); err != nil {
		l.t.Error(err)
	}
	after := l.status(c)
	if after.ID == before.ID || after.Outdated || after.Restarts > 0 || after.State != engine.Running {
		l.t.Errorf("got %+v, want a new one without a fault", after)
	}
	l.wantOwn(l.id + "-cloud-provider")
}

func TestRealKill(t *testing.T) {
	t.Parallel()
	l, c, before := started(t)
	gateway, service := l.proxyOf("kindccm-gw-", cloudprovider.LabelGateway), l.proxyOf("kindccm-", cloudprovider.LabelLoadBalancer)
	pid := l.output("inspect", "-f", "{{.State.Pid}}", before.ID)
	l.docker(nil, "run", "--rm", "--pid=host", "--entrypoint", "/program", l.image, "kill", pid)
	status := l.reach(c, again)
	if status.ExitCode != 137 || status.OutOfMemory || !status.Outdated || !status.Since.After(before.Since) {
		t.Errorf("got %+v, want it running anew after code 137", status)
	}
	wantText(t, status.Reason, "exited with code 137 (killed), and was restarted once")
	l.mends(c, status)
	if l.exists(gateway) || !l.exists(service) {
		t.Errorf("the Gateway's proxy is there: %t, the Service's: %t, want the latter alone", l.exists(gateway), l.exists(service))
	}
}

func TestRealOutOfMemory(t *testing.T) {
	t.Parallel()
	l, c, before := started(t)
	l.docker(nil, "update", "--memory", "48m", "--memory-swap", "48m", before.ID)
	l.docker(nil, "exec", before.ID, "/program", "eat")
	status := l.reach(c, again)
	if status.ExitCode != 137 || !status.OutOfMemory {
		t.Errorf("got %+v, want that it ran out of memory", status)
	}
	wantText(t, status.Reason, "exited with code 137 (killed), out of memory", "has to have more")
	l.mends(c, status)
}

// TestRealStops: the engine does not start again what somebody stopped.
func TestRealStops(t *testing.T) {
	t.Parallel()
	l, c, before := started(t)
	for want, command := range map[string][]string{
		"stopped by somebody": {"stop"}, "exited with code 137 (killed), stopped by somebody": {"kill"}, "paused": {"pause"}, "absent": {"rm", "-f"},
	} {
		l.docker(nil, append(command, before.ID)...)
		status := l.status(c)
		wantText(t, status.Reason, want)
		if err := retry.Until(t.Context(), time.Hour, c.Attached); err == nil {
			t.Errorf("%s: it is attached", want)
		}
		l.mends(c, before)
		before = l.status(c)
	}
}

// TestRealLateCrashes: the start succeeded, and waiting ends as soon as it is clear that it was for nothing.
func TestRealLateCrashes(t *testing.T) {
	t.Parallel()
	l := newLab(t, "later")
	c := l.controller()
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := retry.Until(t.Context(), time.Hour, c.Attached)
	wantError(t, err, "keeps crashing", "exited with code 3", "restarted", "panic: later")
}

func TestRealOtherVersion(t *testing.T) {
	t.Parallel()
	l := newLab(t, "serve")
	l.docker(nil, "run", "-d", "--name", l.id+"-old", "--network", l.id, "--label", cloudprovider.LabelOwner+"="+l.id,
		"--label", cloudprovider.LabelRole+"=controller", "--log-driver", "none", "--entrypoint", "/program", l.image, "mute")
	c := l.controller()
	status := l.status(c)
	if status.State != engine.Running || !status.Outdated {
		t.Errorf("got %+v, want it found, and outdated", status)
	}
	wantText(t, status.Reason, "another version", "its log can't be read on this engine")
	if err := c.Attached(t.Context()); err != nil {
		t.Errorf("got %v, want that one which runs is enough", err)
	}
	l.mends(c, status)
}

func TestRealRival(t *testing.T) {
	t.Parallel()
	l, c, _ := started(t)
	named := func(status cloudprovider.Status) bool {
		return strings.Contains(strings.Join(status.Warnings, "\n"), l.id+"-rival")
	}
	if named(l.status(c)) {
		t.Error("it is named before it is there")
	}
	tag := "localhost/" + l.id + "/cloud-provider-kind:rival"
	l.docker(nil, "tag", l.image, tag)
	t.Cleanup(func() { l.docker(nil, "image", "rm", tag) })
	l.docker(nil, "run", "-d", "--name", l.id+"-rival", "--entrypoint", "/program", tag, "mute")
	t.Cleanup(func() { l.docker(nil, "rm", "-f", l.id+"-rival") })
	if status := l.status(c); !named(status) || status.Outdated {
		t.Errorf("got %+v, want it to name the rival", status)
	}
	if err := c.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if got := l.output("inspect", "-f", "{{.State.Status}}", l.id+"-rival"); got != "running" {
		t.Errorf("the rival is %s", got)
	}
}

// proxyOf makes a load balancer's container of one kind, removed after the test.
func (l lab) proxyOf(prefix, label string) string {
	l.t.Helper()
	id, err := l.Create(l.t.Context(), engine.Spec{
		Name: prefix + l.id, Image: l.image, Network: l.id,
		Labels: map[string]string{cloudprovider.LabelCluster: l.id, label: l.id + "/default/web"},
	})
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() {
		if err := l.Remove(context.WithoutCancel(l.t.Context()), id); err != nil && !errors.Is(err, engine.ErrNotFound) {
			l.t.Error(err)
		}
	})
	return id
}

func (l lab) exists(id string) bool {
	l.t.Helper()
	return l.output("ps", "-aq", "--filter", "id="+id) != ""
}
