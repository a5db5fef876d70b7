package kindtest

import (
	"context"
	"io"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// The names of a driver's methods in [enginetest.Faults], where they are
// counted along with the engine's.
const (
	CallCreate      = "kind.Create"
	CallDelete      = "kind.Delete"
	CallList        = "kind.List"
	CallNodes       = "kind.Nodes"
	CallKubeconfig  = "kind.Kubeconfig"
	CallLoadArchive = "kind.LoadArchive"
	CallSaveImages  = "kind.SaveImages"
	CallKubectl     = "kind.Kubectl"
)

// NewFaults returns faults for an engine and a driver, which share one count.
func NewFaults() *enginetest.Faults {
	return enginetest.NewFaults(CallCreate, CallDelete, CallList, CallNodes, CallKubeconfig, CallLoadArchive, CallSaveImages, CallKubectl)
}

// Around returns d as a driver that fails as faults say.
func Around(faults *enginetest.Faults, d Driver) Driver { return &faulty{faults, d} }

type faulty struct {
	faults *enginetest.Faults
	driver Driver
}

// Available is not counted: it looks at this machine alone.
func (f *faulty) Available() error { return f.driver.Available() }

func (f *faulty) Create(ctx context.Context, spec kind.CreateSpec) ([]byte, error) {
	return result(ctx, f.faults, CallCreate, spec.Name, func() ([]byte, error) { return f.driver.Create(ctx, spec) })
}

func (f *faulty) Delete(ctx context.Context, name string) error {
	return f.faults.Call(ctx, CallDelete, name, func() error { return f.driver.Delete(ctx, name) })
}

func (f *faulty) List(ctx context.Context) ([]string, error) {
	return result(ctx, f.faults, CallList, "", func() ([]string, error) { return f.driver.List(ctx) })
}

func (f *faulty) Nodes(ctx context.Context, name string) ([]string, error) {
	return result(ctx, f.faults, CallNodes, name, func() ([]string, error) { return f.driver.Nodes(ctx, name) })
}

func (f *faulty) Kubeconfig(ctx context.Context, name string) ([]byte, error) {
	return result(ctx, f.faults, CallKubeconfig, name, func() ([]byte, error) { return f.driver.Kubeconfig(ctx, name) })
}

func (f *faulty) LoadArchive(ctx context.Context, name string, archive io.Reader) error {
	return f.faults.Call(ctx, CallLoadArchive, name, func() error { return f.driver.LoadArchive(ctx, name, archive) })
}

func (f *faulty) SaveImages(ctx context.Context, refs []string, out io.Writer) error {
	return f.faults.Call(ctx, CallSaveImages, strings.Join(refs, " "), func() error { return f.driver.SaveImages(ctx, refs, out) })
}

func (f *faulty) Kubectl(ctx context.Context, name string, stdin io.Reader, args ...string) ([]byte, error) {
	return result(ctx, f.faults, CallKubectl, name+" "+strings.Join(args, " "), func() ([]byte, error) {
		return f.driver.Kubectl(ctx, name, stdin, args...)
	})
}

// result is [enginetest.Faults.Call] for a call that returns something.
func result[T any](ctx context.Context, faults *enginetest.Faults, method, argument string, work func() (T, error)) (T, error) {
	var value, none T
	err := faults.Call(ctx, method, argument, func() (err error) {
		value, err = work()
		return err
	})
	if err != nil {
		return none, err
	}
	return value, nil
}
