package cloudprovider

import (
	"io/fs"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// Budgets shortens or lengthens what a Controller waits for.
type Budgets struct{ Start, Settle, Sweep time.Duration }

// SetBudgets sets the budgets that are not zero.
func (c *Controller) SetBudgets(b Budgets) {
	for to, from := range map[*time.Duration]time.Duration{&c.startBudget: b.Start, &c.settleTime: b.Settle, &c.sweepBudget: b.Sweep} {
		if from > 0 {
			*to = from
		}
	}
}

// SetGOOS makes a Controller behave as on another operating system.
func (c *Controller) SetGOOS(goos string) { c.goos = goos }

// SetProcesses replaces this machine's processes by what a /proc has.
func (c *Controller) SetProcesses(proc fs.FS) {
	c.processes = func(at engine.Endpoint) []process { return processesIn(proc, at) }
}

// HostProcesses tells the process IDs of the cloud providers on this machine that may use an engine.
func HostProcesses(host string) []int {
	var pids []int
	for _, p := range hostProcesses(engine.Endpoint{Host: host}) {
		pids = append(pids, p.pid)
	}
	return pids
}

// ScopeScript is what stands before the docker CLI.
func ScopeScript() []byte { return scopeScript }

// SpecOf is the container of a controller on the engine at.
func SpecOf(cfg Config, at engine.Endpoint) (engine.Spec, error) {
	c := New(nil, cfg)
	c.goos = "linux"
	return c.spec(at)
}

// ProxyImage is the image that a controller's answer and a mirror give.
func ProxyImage(answer, registry string) (string, error) {
	ref, err := parseAnswer(answer)
	if err != nil {
		return "", err
	}
	return mirrored(ref, registry)
}

// ServesInLog reports which clusters a log says are attached.
func ServesInLog(log string) []string { return parseJournal(log).clusters() }
