package enginetest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// budget bounds waiting for what must come. It is generous: only a failure uses it up.
const budget = time.Minute

// grace is what stops get where the container obeys at once.
const grace = 30 * time.Second

// bench is a subject and what the checks do with it again and again.
type bench struct {
	Subject
	mark string // unique value of SuiteLabel
}

func newBench(t *testing.T, s Subject) *bench {
	t.Helper()
	return &bench{Subject: s, mark: strings.ToLower(rand.Text()[:12])}
}

// spec describes a container that follows orders.
func (b *bench) spec(orders ...string) engine.Spec {
	return engine.Spec{
		Name: "magekind-contract-" + strings.ToLower(rand.Text()[:12]), Image: b.Image, Command: orders,
		Labels: map[string]string{SuiteLabel: b.mark},
	}
}

// create makes a container and sees to its removal.
func (b *bench) create(t *testing.T, spec engine.Spec) string {
	t.Helper()
	id, err := b.Engine.Create(t.Context(), spec)
	if err != nil {
		t.Fatalf("Create(%+v): %v", spec, err)
	}
	b.clean(t, id)
	return id
}

func (b *bench) clean(t *testing.T, id string) {
	t.Helper()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), budget)
		defer cancel()
		if err := b.Engine.Remove(ctx, id); err != nil && !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("cleaning up: %v", err)
		}
	})
}

// start makes and starts a container that follows orders.
func (b *bench) start(t *testing.T, orders ...string) string {
	t.Helper()
	id := b.create(t, b.spec(orders...))
	must(t, "Start", b.Engine.Start(t.Context(), id))
	return id
}

// list returns this check's containers, of those that carry more labels if any are given.
func (b *bench) list(t *testing.T, more map[string]string) []engine.Container {
	t.Helper()
	labels := map[string]string{SuiteLabel: b.mark}
	maps.Copy(labels, more)
	found, err := b.Engine.List(t.Context(), labels)
	must(t, "List", err)
	return found
}

// get describes one container.
func (b *bench) get(t *testing.T, id string) engine.Container {
	t.Helper()
	for _, c := range b.list(t, nil) {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("container %s is not listed", id)
	return engine.Container{}
}

// reach waits until a container is as wanted.
func (b *bench) reach(t *testing.T, id, what string, ok func(engine.Container) bool) engine.Container {
	t.Helper()
	var c engine.Container
	err := retry.Until(t.Context(), budget, func(context.Context) error {
		if c = b.get(t, id); ok(c) {
			return nil
		}
		return fmt.Errorf("it is %+v", c)
	})
	if err != nil {
		t.Fatalf("container never %s: %v", what, err)
	}
	return c
}

// exited waits for a container's end.
func (b *bench) exited(t *testing.T, id string) engine.Container {
	t.Helper()
	return b.reach(t, id, "exited", func(c engine.Container) bool { return c.State == engine.Exited })
}

func must(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// wants checks the class of an error.
func wants(t *testing.T, what string, err, class error) {
	t.Helper()
	if !errors.Is(err, class) {
		t.Errorf("%s: got error %v, want one that is %q", what, err, class)
	}
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// names returns the names of containers, in their order.
func names(all []engine.Container) string {
	var list []string
	for _, c := range all {
		list = append(list, c.Name)
	}
	return strings.Join(list, " ")
}

// absent is a container that no engine has.
const absent = "magekind-contract-absent"
