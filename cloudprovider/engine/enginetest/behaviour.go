package enginetest

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// Behaviour is what a container's process does. The zero value runs silently
// until it is stopped.
type Behaviour struct {
	// Logs are the lines that it prints when it starts.
	Logs []string
	// Exit makes it exit at once, after Logs, with this code. With a restart
	// policy the container is then restarting, and each List starts it once more.
	Exit *int
	// OnExec answers commands that are run in the container; nil: no output, code 0.
	// While it blocks, the command goes on.
	OnExec func(command []string) (out string, code int)
	// OnStop runs when it gets the stop signal, before it ends: a place to do
	// through the Fake what the real program does on its way out. When it takes
	// longer than the grace period, Stop kills the container (exit code 137) and
	// does not wait for it.
	OnStop func()
	// IgnoreStop makes it outlive the stop signal, so that Stop kills it (exit
	// code 137). The Fake doesn't wait for the grace period.
	IgnoreStop bool
}

const killed = 137

// AppendLog adds a line to a container's output.
func (f *Fake) AppendLog(id, line string) error {
	return f.change(id, func(c *container) { c.print(line) })
}

// SetState puts a container in a state, with no regard to how it could get there.
func (f *Fake) SetState(id string, state engine.State) error {
	return f.change(id, func(c *container) {
		if c.State == engine.Running && (state == engine.Exited || state == engine.Restarting) {
			c.EndedAt = time.Now().UTC()
		}
		c.State = state
		if state == engine.Created {
			c.StartedAt, c.EndedAt = time.Time{}, time.Time{}
		}
		if state == engine.Running && c.StartedAt.IsZero() {
			c.StartedAt = time.Now().UTC()
		}
	})
}

// Exit ends a running container's process. A container with a restart policy
// is started again, as an engine does.
func (f *Fake) Exit(id string, code int) error { return f.exit(id, engine.Exit{Code: code}) }

// OutOfMemory is Exit by the kernel, for want of memory.
func (f *Fake) OutOfMemory(id string) error {
	return f.exit(id, engine.Exit{Code: killed, OOM: true})
}

func (f *Fake) exit(id string, exit engine.Exit) error {
	restart := false
	var refused error
	err := f.change(id, func(c *container) {
		if c.State != engine.Running {
			refused = fmt.Errorf("%w: container %q is %s", engine.ErrConflict, id, c.State)
			return
		}
		c.end(exit.Code)
		c.OOMKilled, c.lastExit = exit.OOM, exit
		restart = c.spec.Restart != engine.RestartNo
	})
	if err = errors.Join(err, refused); err != nil || !restart {
		return err
	}
	f.run(id, true)
	return nil
}

// Put adds a container that is there already, running unless it says
// otherwise, and returns its ID. An empty ID, name or time of creation is filled in.
func (f *Fake) Put(described engine.Container) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if described.ID == "" {
		described.ID = f.newID("container", described.Name)
	}
	if described.Name == "" {
		described.Name = fmt.Sprintf("fake-%d", f.made)
	}
	if described.State == "" {
		described.State = engine.Running
	}
	if described.CreatedAt.IsZero() {
		described.CreatedAt = time.Now().UTC()
	}
	if described.State == engine.Running && described.StartedAt.IsZero() {
		described.StartedAt = described.CreatedAt
	}
	described.Labels = inherit(nil, described.Labels)
	described.Networks = slices.Clone(described.Networks)
	for i, at := range described.Networks {
		if at.NetworkID == "" && described.State == engine.Running {
			described.Networks[i].NetworkID = f.network(at.Network)
		}
	}
	spec := engine.Spec{Name: described.Name, Image: described.Image, Labels: maps.Clone(described.Labels)}
	f.faults.know(described.ID, described.Name)
	f.containers[described.ID] = &container{Container: clone(described), spec: spec, changed: make(chan struct{})}
	return described.ID
}

// Spec returns what a container was created from, by ID or name, and whether
// there is such a container. For one that was [Fake.Put] it has the name, image and labels.
func (f *Fake) Spec(id string) (engine.Spec, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, err := f.find(id)
	if err != nil {
		return engine.Spec{}, false
	}
	return c.spec, true
}

// behaviour returns what the container's process does, asking the script when
// it is not known yet or anew is set.
func (f *Fake) behaviour(id string, anew bool) Behaviour {
	f.mu.Lock()
	c, err := f.find(id)
	if err != nil {
		f.mu.Unlock()
		return Behaviour{}
	}
	known, spec, script := c.behaviour, c.spec, f.script
	f.mu.Unlock()
	if known != nil && !anew {
		return *known
	}
	var b Behaviour
	if script != nil { // called without the lock: it may use the Fake
		b = script(spec)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	c.behaviour = &b
	return b
}

// change applies do to a container under the lock and wakes those who follow its output.
func (f *Fake) change(id string, do func(*container)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, err := f.find(id)
	if err != nil {
		return err
	}
	do(c)
	c.wake()
	return nil
}

// clone copies what a caller could otherwise change behind our back.
func clone(c engine.Container) engine.Container {
	c.Labels = maps.Clone(c.Labels)
	c.Command = slices.Clone(c.Command)
	c.Networks = slices.Clone(c.Networks)
	c.Ports = slices.Clone(c.Ports)
	return c
}

// SetAddress puts a container at an IPv4 address in a network, as after a
// restart of the engine, which gives addresses anew.
func (f *Fake) SetAddress(id, network, address string) error {
	at, err := netip.ParseAddr(address)
	if err != nil {
		return err
	}
	return f.change(id, func(c *container) {
		c.Networks = slices.DeleteFunc(c.Networks, func(a engine.Attachment) bool { return a.Network == network })
		c.Networks = append(c.Networks, engine.Attachment{Network: network, IPv4: at})
	})
}
