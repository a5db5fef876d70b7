package enginetest

import (
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

func createChecks() []check {
	return []check{
		{"an absent image is not found, and is not pulled", createRefusesImage},
		{"an absent network is not found", createRefusesNetwork},
		{"a name that is taken is a conflict", createRefusesName},
		{"an invalid name is refused", createRefusesInvalidName},
		{"a container without a name gets one", createNames},
		{"command, environment and user are the container's", createPasses},
		{"a container that was refused is not there", createLeavesNothing},
	}
}

func createRefusesImage(t *testing.T, b *bench) {
	spec := b.spec("wait")
	spec.Image = absentImage
	_, err := b.Engine.Create(t.Context(), spec)
	wants(t, "Create", err, engine.ErrNotFound)
}

func createRefusesNetwork(t *testing.T, b *bench) {
	spec := b.spec("wait")
	spec.Network = "magekind-contract-absent"
	_, err := b.Engine.Create(t.Context(), spec)
	wants(t, "Create", err, engine.ErrNotFound)
}

func createRefusesName(t *testing.T, b *bench) {
	spec := b.spec("wait")
	first := b.create(t, spec)
	_, err := b.Engine.Create(t.Context(), spec)
	wants(t, "Create", err, engine.ErrConflict)
	same(t, "the first one", b.get(t, first).Name, spec.Name)
}

func createRefusesInvalidName(t *testing.T, b *bench) {
	for _, name := range []string{"-a", "a b", "a/b", "é"} {
		spec := b.spec("wait")
		spec.Name = name
		if id, err := b.Engine.Create(t.Context(), spec); err == nil {
			b.clean(t, id)
			t.Errorf("Create with name %q: got no error", name)
		}
	}
}

func createNames(t *testing.T, b *bench) {
	spec := b.spec("wait")
	spec.Name = ""
	if c := b.get(t, b.create(t, spec)); c.Name == "" || c.Name[0] == '/' {
		t.Errorf("got name %q, want one without a slash", c.Name)
	}
}

func createPasses(t *testing.T, b *bench) {
	spec := b.spec("out=first", "env=GREETING", "id")
	spec.Env = []string{"GREETING=hello=world"}
	spec.User = "7:8"
	id := b.create(t, spec)
	must(t, "Start", b.Engine.Start(t.Context(), id))
	b.exited(t, id)
	same(t, "output", b.logs(t, id, engine.LogOptions{}), "first\nhello=world\n7:8\n")
}

func createLeavesNothing(t *testing.T, b *bench) {
	bad := b.spec("wait")
	bad.Files = []engine.File{{Path: "relative", Content: []byte("x")}}
	if _, err := b.Engine.Create(t.Context(), bad); err == nil {
		t.Error("Create with a file of a relative path: got no error")
	}
	lost := b.spec("wait")
	lost.Network = "magekind-contract-absent"
	if _, err := b.Engine.Create(t.Context(), lost); err == nil {
		t.Error("Create with an absent network: got no error")
	}
	same(t, "containers", names(b.list(t, nil)), "")
}
