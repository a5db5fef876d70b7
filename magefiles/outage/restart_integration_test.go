//go:build integration && linux

package outage_test

import (
	"os"
	"strings"
	"testing"
)

// TestEngineRestarts while an environment is up: status says what is wrong and
// what to do, and Up mends it. Two nodes, whose addresses change.
func TestEngineRestarts(t *testing.T) {
	o := newOwn(t, nil)
	o.load()
	p := newProject(t, o, "outage", 1)
	p.up()
	p.serves()

	o.kill()
	p.isBroken()
	p.up()
	p.serves()

	p.moved()
	hangs(t, p)
	fullCache(t, p)
	p.down()
	if got := o.docker("ps", "--quiet"); len(strings.Fields(got)) != 1 {
		t.Errorf("containers that run: %q, want the bystander", got)
	}
}

// isBroken checks that the status names what the engine left, and what to do.
func (p *project) isBroken() {
	p.t.Helper()
	status := p.status()
	text := status.String()
	for _, want := range []string{"warning", "env:up"} {
		if !strings.Contains(text, want) {
			p.t.Errorf("there is no %q in the status:\n%s", want, text)
		}
	}
	if strings.Contains(strings.Join(status.Warnings, "\n"), "env:down") {
		p.t.Errorf("the status asks for more than an env:up:\n%s", text)
	}
	p.t.Logf("%s", text)
}

// moved has the nodes start while somebody else has the first addresses.
func (p *project) moved() {
	p.t.Helper()
	const place = "{{.NetworkSettings.Networks.kind.IPAddress}}"
	node := p.Name() + "-control-plane"
	before := p.docker("inspect", "--format", place, node)
	p.docker("stop", "--time=1", node)
	p.docker("run", "--detach", "--restart=always", "--network=kind", "--name=bystander", os.Getenv(exampleImageEnv))
	p.restart()
	p.isBroken()
	p.up()
	p.serves()
	p.t.Logf("the control plane was at %s, and is at %s", before, p.docker("inspect", "--format", place, node))
}
