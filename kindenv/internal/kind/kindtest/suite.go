package kindtest

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kind"
)

// Driver is what [kind.Driver] does. The suite checks all of it but SaveImages
// and Available, which don't go through kind.
type Driver interface {
	Available() error
	Create(ctx context.Context, spec kind.CreateSpec) (kubeconfig []byte, err error)
	Delete(ctx context.Context, name string) error
	List(ctx context.Context) ([]string, error)
	Nodes(ctx context.Context, name string) ([]string, error)
	Kubeconfig(ctx context.Context, name string) ([]byte, error)
	LoadArchive(ctx context.Context, name string, archive io.Reader) error
	SaveImages(ctx context.Context, refs []string, out io.Writer) error
	Kubectl(ctx context.Context, name string, stdin io.Reader, args ...string) ([]byte, error)
}

var (
	_ Driver = (*kind.Driver)(nil)
	_ Driver = (*Fake)(nil)
)

// Subject is a driver under test.
type Subject struct {
	Driver Driver
	// Spec is a cluster of one node to create; its name is not in use.
	Spec kind.CreateSpec
	// Slow makes creations last until their ctx is done; nil: they take a while by themselves.
	Slow func()
}

// Run checks that what open returns keeps the contract of [kind.Driver].
// Each check opens a Subject of its own, and deletes what it created.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	for _, c := range checks() {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			t.Cleanup(func() {
				ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
				defer cancel()
				if err := s.Driver.Delete(ctx, s.Spec.Name); err != nil {
					t.Errorf("clean up: %v", err)
				}
			})
			c.run(t, s)
		})
	}
}

type check struct {
	name string
	run  func(t *testing.T, s Subject)
}

func checks() []check {
	return []check{
		{"a cluster that does not exist", absent},
		{"a cluster's life", life},
		{"cancelled before it starts", cancelledBefore},
		{"cancelled in the middle", cancelledMidway},
	}
}

func absent(t *testing.T, s Subject) {
	ctx := t.Context()
	names, err := s.Driver.List(ctx)
	if err != nil || slices.Contains(names, s.Spec.Name) {
		t.Errorf("List = %q, %v; want no %q", names, err, s.Spec.Name)
	}
	wantNoNodes(t, s)
	if raw, err := s.Driver.Kubeconfig(ctx, s.Spec.Name); !errors.Is(err, kind.ErrNotSetUp) {
		t.Errorf("Kubeconfig of an absent cluster = %q, %v; want %v", raw, err, kind.ErrNotSetUp)
	}
	if out, err := s.Driver.Kubectl(ctx, s.Spec.Name, nil, "version"); err == nil {
		t.Errorf("Kubectl in an absent cluster = %q, want an error", out)
	}
	if err := s.Driver.LoadArchive(ctx, s.Spec.Name, strings.NewReader("")); err == nil {
		t.Error("LoadArchive into an absent cluster = nil, want an error")
	}
	if err := s.Driver.Delete(ctx, s.Spec.Name); err != nil {
		t.Errorf("Delete of an absent cluster: %v", err)
	}
}

func life(t *testing.T, s Subject) {
	ctx, name := t.Context(), s.Spec.Name
	created, err := s.Driver.Create(ctx, s.Spec)
	if err != nil {
		t.Fatalf("Create: %v", err)
	}
	wantKubeconfig(t, name, created)
	names, err := s.Driver.List(ctx)
	if err != nil || !slices.Contains(names, name) {
		t.Errorf("List = %q, %v; want %q in it", names, err, name)
	}
	if _, err := s.Driver.Create(ctx, s.Spec); err == nil || !strings.Contains(err.Error(), "already exist") {
		t.Errorf("second Create = %v, want a refusal", err)
	}
	nodes, err := s.Driver.Nodes(ctx, name)
	if want := []string{name + "-control-plane"}; err != nil || !slices.Equal(nodes, want) {
		t.Errorf("Nodes = %q, %v; want %q", nodes, err, want)
	}
	read, err := s.Driver.Kubeconfig(ctx, name)
	if err != nil {
		t.Errorf("Kubeconfig: %v", err)
	}
	wantKubeconfig(t, name, read)
	if _, err := s.Driver.Kubectl(ctx, name, nil, "version"); err != nil {
		t.Errorf("Kubectl version: %v", err)
	}
	if err := s.Driver.LoadArchive(ctx, name, strings.NewReader("no archive")); err == nil {
		t.Error("LoadArchive of what is no archive = nil, want an error")
	}
	for range 2 {
		if err := s.Driver.Delete(ctx, name); err != nil {
			t.Errorf("Delete: %v", err)
		}
	}
	wantNoNodes(t, s)
}

func cancelledBefore(t *testing.T, s Subject) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Driver.Create(ctx, s.Spec); !errors.Is(err, context.Canceled) {
		t.Errorf("Create with a cancelled context = %v, want %v", err, context.Canceled)
	}
	wantNoNodes(t, s)
}

func cancelledMidway(t *testing.T, s Subject) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if s.Slow != nil {
		s.Slow()
	}
	ended := make(chan error, 1)
	go func() {
		_, err := s.Driver.Create(ctx, s.Spec)
		ended <- err
	}()
	for len(ended) == 0 {
		if nodes, err := s.Driver.Nodes(t.Context(), s.Spec.Name); err == nil && len(nodes) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled Create = %v, want %v", err, context.Canceled)
	}
	wantNoNodes(t, s)
}

func wantNoNodes(t *testing.T, s Subject) {
	t.Helper()
	if nodes, err := s.Driver.Nodes(t.Context(), s.Spec.Name); err != nil || len(nodes) > 0 {
		t.Errorf("Nodes = %q, %v; want none", nodes, err)
	}
}

func wantKubeconfig(t *testing.T, name string, raw []byte) {
	t.Helper()
	for _, want := range []string{"current-context: " + kind.Context(name), "server: https://"} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("kubeconfig has no %q:\n%s", want, raw)
		}
	}
}
