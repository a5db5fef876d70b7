package enginetest

import (
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// container is a container and what the Fake knows about it. Fake.mu guards all of it.
type container struct {
	engine.Container
	spec      engine.Spec
	behaviour *Behaviour // nil: the script was not asked yet
	number    int        // makes the address
	network   string     // ID of the one that it joins when it runs
	output    []line
	lastExit  engine.Exit
	changed   chan struct{} // closed and replaced at each change
	removed   bool
}

type line struct {
	at   time.Time
	text string
}

// find returns the container with this ID or name. f.mu is held.
func (f *Fake) find(id string) (*container, error) {
	if c := f.containers[id]; c != nil {
		return c, nil
	}
	for _, c := range f.containers {
		if c.Name == strings.TrimPrefix(id, "/") {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%w: no container %q", engine.ErrNotFound, id)
}

// runs says whether there is a process to stop, or will be one soon.
func (c *container) runs() bool {
	return c.State == engine.Running || c.State == engine.Paused || c.State == engine.Restarting
}

func (c *container) print(text string) {
	c.output = append(c.output, line{at: time.Now().UTC(), text: text})
}

func (c *container) begin(b Behaviour) {
	c.State, c.ExitCode, c.StartedAt, c.OOMKilled = engine.Running, 0, time.Now().UTC(), false
	for _, text := range b.Logs {
		c.print(text)
	}
	for i := range c.Networks {
		c.Networks[i].IPv4 = netip.AddrFrom4([4]byte{172, 18, byte(c.number >> 8), byte(c.number)})
		c.Networks[i].NetworkID = c.network
	}
}

func (c *container) end(code int) {
	c.State, c.ExitCode, c.EndedAt = engine.Exited, code, time.Now().UTC()
	c.lastExit = engine.Exit{Code: code}
	for i := range c.Networks {
		c.Networks[i].IPv4, c.Networks[i].NetworkID = netip.Addr{}, ""
	}
}

// wake tells followers that something changed.
func (c *container) wake() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// run starts a container's process, by the script. again: the engine does it, by the restart policy.
func (f *Fake) run(id string, again bool) {
	b := f.behaviour(id, true)
	_ = f.change(id, func(c *container) { // it may be gone by now, as in reality
		if again {
			c.RestartCount++
		}
		c.begin(b)
		if b.Exit == nil {
			return
		}
		c.end(*b.Exit)
		if c.spec.Restart != engine.RestartNo {
			c.State = engine.Restarting
		}
	})
}

// restarting returns the IDs of the containers that the engine is about to start again.
func (f *Fake) restarting() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var ids []string
	for id, c := range f.containers {
		if c.State == engine.Restarting && c.behaviour != nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// matches says whether a container carries every label wanted.
func (c *container) matches(wanted map[string]string) bool {
	for key, value := range wanted {
		got, ok := c.Labels[key]
		if !ok || value != "" && got != value {
			return false
		}
	}
	return true
}
