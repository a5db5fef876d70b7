package kind

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sigs.k8s.io/kind/pkg/cluster"
)

// CreateSpec says which cluster to create.
type CreateSpec struct {
	Name   string
	Image  string // of every node; empty: what Config says, else [DefaultImage]
	Config []byte // a kind config; empty: one node with kind's defaults

	// Scratch names a file, not there yet, in a folder that is: kind keeps its
	// kubeconfig in it meanwhile, and its lock beside it as Scratch.lock. Both
	// stay when the process is killed. Empty: a file in the folder for temporary ones.
	Scratch string

	// Failed, if set, is called when a creation has failed, before its nodes are
	// deleted, and not when ctx is done. It is the last chance to read their logs.
	Failed func(ctx context.Context, err error)
}

const (
	// cancelGrace bounds how long Create goes on after its ctx is done. mage gives 5 s in all.
	cancelGrace = 4 * time.Second
	// deleteGrace bounds the deletion of what a failed creation made.
	deleteGrace = time.Minute
	// sweepEvery is how often the nodes are deleted meanwhile, since a call
	// in progress may make another one after each sweep.
	sweepEvery = 250 * time.Millisecond
	// lookGrace bounds one look for what a cancelled creation left.
	lookGrace = 2 * time.Second
)

// Create creates a cluster, returns its kubeconfig when kubeadm is done, and
// does not wait for the nodes to be ready. A failed creation leaves no nodes.
// It touches no kubeconfig file of the user's.
//
// When ctx is done the nodes are deleted, which makes kind's running command
// fail, and Create waits, for four seconds at most, until kind has ended. What
// may be left then (a pull goes on in the engine, say) is in the error.
func (d *Driver) Create(ctx context.Context, spec CreateSpec) (kubeconfig []byte, err error) {
	doing := fmt.Sprintf("create cluster %q", spec.Name)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w", doing, context.Cause(ctx))
	}
	scratch, remove := scratchFile(spec.Scratch)
	defer remove()
	done := make(chan error, 1)
	go func() { done <- d.provider.Create(spec.Name, createOptions(spec, scratch)...) }()
	select {
	case err := <-done:
		if err != nil {
			return nil, d.failed(ctx, spec, explain(doing, err))
		}
		return os.ReadFile(scratch)
	case <-ctx.Done():
		cause := context.Cause(ctx)
		return nil, fmt.Errorf("%s: %w", doing, errors.Join(cause, d.abandon(context.WithoutCancel(ctx), spec.Name, done)))
	}
}

// existing is what kind says when it has made nothing because there are nodes of
// that name already (pkg/cluster/internal/create of kind v0.33).
const existing = "already exist for a cluster with the name"

// failed ends a creation that failed with err. kind has deleted the nodes, unless
// it was told to leave that.
func (d *Driver) failed(ctx context.Context, spec CreateSpec, err error) error {
	if spec.Failed == nil || strings.Contains(err.Error(), existing) {
		return err
	}
	if ctx.Err() == nil {
		spec.Failed(ctx, err)
	}
	grace := deleteGrace
	if ctx.Err() != nil {
		grace = cancelGrace
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if left := d.Delete(ctx, spec.Name); left != nil {
		return errors.Join(err, left)
	}
	return err
}

func createOptions(spec CreateSpec, kubeconfig string) []cluster.CreateOption {
	options := []cluster.CreateOption{
		cluster.CreateWithKubeconfigPath(kubeconfig),
		cluster.CreateWithDisplayUsage(false),
		cluster.CreateWithDisplaySalutation(false),
		cluster.CreateWithRetain(spec.Failed != nil),
	}
	if spec.Image != "" {
		options = append(options, cluster.CreateWithNodeImage(spec.Image))
	}
	if len(spec.Config) > 0 {
		options = append(options, cluster.CreateWithRawConfig(spec.Config))
	}
	return options
}

// ErrBusy is wrapped by the error of a creation that was given up: the engine may
// still make what it was asked for, although there is nothing of it now.
var ErrBusy = errors.New("kind is still busy")

// underway is what an engine says of a container that it is removing already, at
// the request of a sweep before: it goes without another one.
const underway = "is already in progress"

// abandon deletes what a creation makes until that has ended, and then until
// nothing of it is left.
func (d *Driver) abandon(ctx context.Context, name string, done <-chan error) error {
	deadline := time.NewTimer(cancelGrace)
	defer deadline.Stop()
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for ended := false; ; {
		left := d.sweep(ctx, name)
		if ended && (left == nil || !strings.Contains(left.Error(), underway)) {
			return left
		}
		select {
		case <-done:
			ended, done = true, nil
		case <-deadline.C:
			if ended {
				return left
			}
			killCommands(d.runtime, name)
			return fmt.Errorf("%w after %s: delete cluster %q once it has ended", ErrBusy, cancelGrace, name)
		case <-tick.C:
		}
	}
}

// sweep deletes the nodes that exist now.
func (d *Driver) sweep(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, lookGrace)
	defer cancel()
	return d.Delete(ctx, name)
}

// Delete deletes a cluster's nodes with their volumes, and touches no
// kubeconfig file of the user's. Deleting a cluster that does not exist is no error.
func (d *Driver) Delete(ctx context.Context, name string) error {
	scratch, remove := scratchFile("")
	defer remove()
	ctx, cancel := d.limit(ctx, deleteLimit)
	defer cancel()
	_, err := await(ctx, func() (struct{}, error) { return struct{}{}, d.quiet.Delete(name, scratch) })
	d.killCommands(ctx, name)
	return explain(fmt.Sprintf("delete cluster %q", name), err)
}

// scratchFile is the file named path, else one that is not there yet, for kind
// to keep its kubeconfig in. Without an explicit one kind edits the user's, in
// place. Nothing is made here.
func scratchFile(path string) (_ string, remove func()) {
	if path == "" {
		path = filepath.Join(os.TempDir(), "magekind-"+rand.Text())
	}
	return path, func() { _ = os.Remove(path) }
}
