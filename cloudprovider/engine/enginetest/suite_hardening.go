package enginetest

import (
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

func hardeningChecks() []check {
	return []check{
		{"a read-only container can't write", readOnlyCantWrite},
		{"files arrive in a read-only container", readOnlyHasFiles},
		{"no file arrives in the root folder of a read-only container", readOnlyRefusesRoot},
		{"a read-only container starts again with its files", readOnlyStartsAgain},
		{"an unprivileged container has no capability and gains none", unprivilegedHasNothing},
		{"a container without a network has its loopback only", noNetworkHasLoopback},
	}
}

// printedBy creates a container from spec and returns what its orders print.
func (b *bench) printedBy(t *testing.T, spec engine.Spec) string {
	t.Helper()
	id := b.create(t, spec)
	must(t, "Start", b.Engine.Start(t.Context(), id))
	c := b.exited(t, id)
	out := b.logs(t, id, engine.LogOptions{})
	if c.ExitCode != 0 {
		t.Fatalf("orders %q ended with code %d: %s", spec.Command, c.ExitCode, out)
	}
	return out
}

func readOnlyCantWrite(t *testing.T, b *bench) {
	spec := b.spec("write=/tmp/x", "write=/x")
	same(t, "by default", b.printedBy(t, spec), "written\nwritten\n")
	spec = b.spec("write=/tmp/x", "write=/x")
	spec.ReadOnly = true
	same(t, "read-only", b.printedBy(t, spec), "read-only\nread-only\n")
}

// bin is what goes into read-only containers: two folders, one inside the other.
func bin() []engine.File {
	return []engine.File{
		{Path: "/usr/local/sbin/docker", Mode: 0o755, Content: []byte("script\n")},
		{Path: "/usr/local/sbin/deep/er", Content: []byte("x\n")},
		{Path: "/usr/local/sbin/other", Mode: 0o600},
	}
}

func readOnlyHasFiles(t *testing.T, b *bench) {
	spec := b.spec("cat=/usr/local/sbin/docker", "cat=/usr/local/sbin/deep/er",
		"stat=/usr/local/sbin/docker", "stat=/usr/local/sbin/deep/er", "stat=/usr/local/sbin/other",
		"stat=/usr/local/sbin", "write=/usr/local/x")
	spec.ReadOnly, spec.Files = true, bin()
	same(t, "output", b.printedBy(t, spec), "script\nx\n"+
		"-rwxr-xr-x 0:0\n-rw-r--r-- 0:0\n-rw------- 0:0\ndrwxr-xr-x 0:0\nread-only\n")
}

func readOnlyRefusesRoot(t *testing.T, b *bench) {
	spec := b.spec("wait")
	spec.ReadOnly, spec.Files = true, []engine.File{{Path: "/file", Content: []byte("x")}}
	if id, err := b.Engine.Create(t.Context(), spec); err == nil {
		b.clean(t, id)
		t.Error("Create: got no error")
	}
	same(t, "containers", names(b.list(t, nil)), "")
}

func readOnlyStartsAgain(t *testing.T, b *bench) {
	spec := b.spec("cat=/usr/local/sbin/docker")
	spec.ReadOnly, spec.Files = true, bin()
	id := b.create(t, spec)
	must(t, "Start", b.Engine.Start(t.Context(), id))
	first := b.exited(t, id)
	must(t, "Start", b.Engine.Start(t.Context(), id))
	b.reach(t, id, "exited again", func(c engine.Container) bool {
		return c.State == engine.Exited && c.EndedAt.After(first.EndedAt)
	})
	same(t, "output", b.logs(t, id, engine.LogOptions{}), "script\nscript\n")
}

func unprivilegedHasNothing(t *testing.T, b *bench) {
	const nothing = "CapEff 0, CapBnd 0, NoNewPrivs 1\n"
	spec := b.spec("caps")
	spec.User = "0"
	if got := b.printedBy(t, spec); got == nothing {
		t.Errorf("user 0 has %q by default too: this proves nothing", got)
	}
	spec = b.spec("caps")
	spec.User, spec.Unprivileged = "0", true
	same(t, "user 0", b.printedBy(t, spec), nothing)
}

func noNetworkHasLoopback(t *testing.T, b *bench) {
	if got := b.printedBy(t, b.spec("links")); got == "" {
		t.Error("the default network gives none: this proves nothing")
	}
	spec := b.spec("links")
	spec.Network = engine.NoNetwork
	same(t, "interfaces", b.printedBy(t, spec), "")
}
