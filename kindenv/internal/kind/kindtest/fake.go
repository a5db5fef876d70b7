// Package kindtest has what tests of code over package kind need: a [Fake]
// that keeps its nodes in an engine, as kind does, and the contract suite
// ([Run]) that both the Fake and kind itself pass.
package kindtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// Engine is where the Fake keeps node containers; enginetest.Fake is one.
type Engine interface {
	engine.Containers
	engine.Networks
	// AddNetwork adds a network, also a second one of the same name.
	AddNetwork(name string)
	// Put adds a container that is there already.
	Put(engine.Container) string
}

// Fake does what [kind.Driver] does, at once. Make one with [NewFake].
// Its fields may be set before it is used.
type Fake struct {
	// API is the API server in the kubeconfigs. Without one there is only its
	// address in them, https://127.0.0.1:6443, and nothing to log in with.
	API *API
	// Roles are the nodes of the clusters to come; default one control plane.
	Roles []string
	// Network is the one of the nodes, which Create makes if there is none;
	// default "kind".
	Network string
	// Networking runs in Create when there is no network, before it makes one.
	Networking func(ctx context.Context) error
	// Creating runs in Create when the node containers exist and kubeadm is
	// done. Its error fails the creation, which leaves no nodes.
	Creating func(ctx context.Context, spec kind.CreateSpec) error
	// OnKubectl answers kubectl; nil: no output.
	OnKubectl func(args []string, stdin string) (string, error)
	// OnRejoin runs when the kubelet of a node that was set up is restarted; may be nil.
	OnRejoin func(node string)
	// Missing is what Available returns.
	Missing error

	engine Engine

	mu       sync.Mutex
	setUp    map[string]bool   // by container ID: kubeadm has made admin.conf
	lost     map[string]string // by container ID: what there is in place of it since
	ids      map[string]string // of the containers, by name
	clusters map[string]string // by container ID
	faults   map[string]error
	calls    []string
	archives []string
	created  []kind.CreateSpec
}

// NewFake returns a Fake whose nodes are containers of eng.
func NewFake(eng Engine) *Fake {
	return &Fake{engine: eng, setUp: map[string]bool{}, lost: map[string]string{}, ids: map[string]string{}, clusters: map[string]string{}, faults: map[string]error{}}
}

// Fail makes every call of a method fail; nil: succeed again.
func (f *Fake) Fail(method string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults[method] = err
}

// Calls returns the calls so far: the method, and the cluster or the arguments.
func (f *Fake) Calls() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

// Archives returns what was loaded into clusters.
func (f *Fake) Archives() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.archives)
}

// Created returns what clusters were created from.
func (f *Fake) Created() []kind.CreateSpec {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.created)
}

// PutNode adds a running node container of a cluster, which kubeadm has not set
// up yet. It is named as kind names the first one of its role.
func (f *Fake) PutNode(cluster, role, image string) (id string) {
	return f.PutNamed(cluster+"-"+role, cluster, role, image)
}

// PutNamed is PutNode with a name that is given.
func (f *Fake) PutNamed(name, cluster, role, image string) (id string) {
	node := engine.Container{
		Name: name, Hostname: name, Image: image, State: engine.Running,
		Labels:   map[string]string{kind.LabelCluster: cluster, kind.LabelRole: role},
		Networks: []engine.Attachment{{Network: f.network(), IPv4: netip.AddrFrom4([4]byte{172, 18, 0, 2})}},
	}
	if role == kind.RoleControlPlane {
		node.Ports = []engine.Port{{Host: f.address(), ContainerPort: kind.APIServerPort, Protocol: "tcp"}}
	}
	id = f.engine.Put(node)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ids[name], f.clusters[id] = id, cluster
	return id
}

func (f *Fake) network() string { return cmp.Or(f.Network, "kind") }

func (f *Fake) address() netip.AddrPort {
	_, hostPort, _ := strings.Cut(f.server(), "://")
	if address, err := netip.ParseAddrPort(hostPort); err == nil {
		return address
	}
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), kind.APIServerPort)
}

func (f *Fake) server() string {
	if f.API == nil {
		return "https://127.0.0.1:6443"
	}
	return f.API.URL
}

func (f *Fake) enter(ctx context.Context, method, subject string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, strings.TrimSpace(method+" "+subject))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return f.faults[method]
}

// Available returns Missing.
func (f *Fake) Available() error { return f.Missing }

// LoadArchive reads and keeps the archive, which must say what an image archive says.
func (f *Fake) LoadArchive(ctx context.Context, name string, archive io.Reader) error {
	if err := f.enter(ctx, "LoadArchive", name); err != nil {
		return err
	}
	if _, err := f.controlPlane(ctx, name); err != nil {
		return err
	}
	raw, err := io.ReadAll(archive)
	if err != nil {
		return err
	}
	if !strings.Contains(string(raw), "manifest.json") {
		return errors.New("unrecognized image format")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.archives = append(f.archives, string(raw))
	return nil
}

// SaveImages writes something that [Fake.LoadArchive] takes.
func (f *Fake) SaveImages(ctx context.Context, refs []string, out io.Writer) error {
	if err := f.enter(ctx, "SaveImages", strings.Join(refs, " ")); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "manifest.json %s", strings.Join(refs, " "))
	return err
}

// Kubectl answers with OnKubectl.
func (f *Fake) Kubectl(ctx context.Context, name string, stdin io.Reader, args ...string) ([]byte, error) {
	if err := f.enter(ctx, "Kubectl", strings.Join(args, " ")); err != nil {
		return nil, err
	}
	if _, err := f.controlPlane(ctx, name); err != nil {
		return nil, err
	}
	var input []byte
	if stdin != nil {
		var err error
		if input, err = io.ReadAll(stdin); err != nil {
			return nil, err
		}
	}
	if f.OnKubectl == nil {
		return nil, nil
	}
	out, err := f.OnKubectl(args, string(input))
	return []byte(out), err
}
