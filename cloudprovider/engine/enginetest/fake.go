package enginetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// Fake is an in-memory container engine with every capability. Make one with
// [NewFake]. It is safe for concurrent use.
type Fake struct {
	mu         sync.Mutex
	endpoint   engine.Endpoint
	script     func(engine.Spec) Behaviour
	images     map[string]engine.Image // by normalised reference
	registry   map[string]engine.Image // what Pull finds, likewise
	networks   []network
	containers map[string]*container // by ID
	made       int                   // containers and networks so far; makes IDs and addresses

	faults *Faults
}

var (
	_ engine.Engine      = (*Fake)(nil)
	_ engine.LogStreamer = (*Fake)(nil)
	_ engine.Pauser      = (*Fake)(nil)
	_ engine.Execer      = (*Fake)(nil)
	_ engine.Historian   = (*Fake)(nil)
	_ engine.Surveyor    = (*Fake)(nil)
)

// network is a network; names need not be unique, as in Docker.
type network struct{ name, id string }

// NewFake returns an engine that calls itself a local Docker Engine and has no
// image, no container, and only the network that every engine has, "bridge".
func NewFake() *Fake {
	f := &Fake{
		endpoint: engine.Endpoint{
			Host: "unix:///var/run/docker.sock", Kind: engine.Docker, Version: "28.5.2",
			OS: "Debian GNU/Linux 13 (trixie)", Kernel: "6.12.0-amd64", CgroupVersion: 2,
		},
		images:     map[string]engine.Image{},
		registry:   map[string]engine.Image{},
		containers: map[string]*container{},
		faults:     NewFaults(),
	}
	f.AddNetwork("bridge")
	return f
}

// Endpoint returns what [Fake.SetEndpoint] set last.
func (f *Fake) Endpoint() engine.Endpoint {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.endpoint
}

// SetEndpoint replaces the engine's description.
func (f *Fake) SetEndpoint(endpoint engine.Endpoint) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.endpoint = endpoint
}

// Script sets how containers behave: it is asked each time that a container
// starts, and when a container that was [Fake.Put] first needs it. A container
// without a script runs silently until it is stopped.
func (f *Fake) Script(script func(engine.Spec) Behaviour) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.script = script
}

// AddNetwork adds a network. A second one of the same name is possible, as in Docker.
func (f *Fake) AddNetwork(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.networks = append(f.networks, network{name: name, id: f.newID("network", name)})
}

// RemoveNetwork removes every network of that name.
func (f *Fake) RemoveNetwork(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.networks = slices.DeleteFunc(f.networks, func(n network) bool { return n.name == name })
}

// WithoutCapabilities returns the same engine as one that has the core methods only.
func (f *Fake) WithoutCapabilities() engine.Engine { return core{f} }

// core hides every method of an engine that is not in the core interface.
type core struct{ engine.Engine }

// Calls returns the calls so far, in order; see [Faults.Calls].
func (f *Fake) Calls() []string { return f.faults.Calls() }

// Fail makes the n-th call of a method fail with err; see [Faults] for how it
// is named and counted.
func (f *Fake) Fail(method string, n int, err error) { f.faults.Fail(method, n, err) }

// Hang makes the n-th call of a method do nothing until its ctx is done.
func (f *Fake) Hang(method string, n int) { f.faults.Hang(method, n) }

// Delay makes the n-th call of a method wait for d before it does its work.
func (f *Fake) Delay(method string, n int, d time.Duration) { f.faults.Delay(method, n, d) }

// enter records a call and returns what makes it fail.
func (f *Fake) enter(ctx context.Context, method, argument string) error {
	return f.faults.Call(ctx, method, argument, func() error {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%s %s: %w", method, argument, err)
		}
		return nil
	})
}

// newID makes an ID like Docker's. f.mu is held.
func (f *Fake) newID(kind, name string) string {
	f.made++
	return digest(fmt.Sprintf("%s %s %d", kind, name, f.made))
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// describe writes labels as the arguments of a filter, sorted.
func describe(labels map[string]string) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if labels[key] != "" {
			key += "=" + labels[key]
		}
		parts = append(parts, key)
	}
	return fmt.Sprint(parts)
}
