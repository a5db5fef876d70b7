package enginetest

import (
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

func fileChecks() []check {
	return []check{
		{"files are there before the first start", filesArrive},
		{"files have their modes, and 0644 without one", filesHaveModes},
		{"missing folders are made with mode 0755", filesMakeFolders},
		{"folders that are there keep their mode", filesKeepFolders},
	}
}

// printed creates a container with files and returns what its orders print.
func (b *bench) printed(t *testing.T, files []engine.File, orders ...string) string {
	t.Helper()
	spec := b.spec(orders...)
	spec.Files = files
	id := b.create(t, spec)
	must(t, "Start", b.Engine.Start(t.Context(), id))
	c := b.exited(t, id)
	out := b.logs(t, id, engine.LogOptions{})
	if c.ExitCode != 0 {
		t.Fatalf("orders %q ended with code %d: %s", orders, c.ExitCode, out)
	}
	return out
}

func filesArrive(t *testing.T, b *bench) {
	long := strings.Repeat("0123456789abcdef", 1<<14) + "\n" // more than one buffer
	files := []engine.File{
		{Path: "/usr/local/sbin/docker", Mode: 0o755, Content: []byte("script\n")},
		{Path: "/long", Mode: 0o644, Content: []byte(long)},
		{Path: "/empty", Mode: 0o644},
	}
	got := b.printed(t, files, "cat=/usr/local/sbin/docker", "cat=/long", "cat=/empty")
	if want := "script\n" + long; got != want {
		t.Errorf("got %d bytes, want %d: %.40q…", len(got), len(want), got)
	}
}

func filesHaveModes(t *testing.T, b *bench) {
	files := []engine.File{
		{Path: "/a", Mode: 0o755, Content: []byte("a")},
		{Path: "/b", Mode: 0o600, Content: []byte("b")},
		{Path: "/c", Content: []byte("c")},
	}
	got := b.printed(t, files, "stat=/a", "stat=/b", "stat=/c")
	same(t, "modes and owners", got, "-rwxr-xr-x 0:0\n-rw------- 0:0\n-rw-r--r-- 0:0\n")
}

func filesMakeFolders(t *testing.T, b *bench) {
	files := []engine.File{
		{Path: "/new/deep/er/file", Content: []byte("x\n")},
		{Path: "/new/file", Content: []byte("y\n")},
	}
	got := b.printed(t, files, "stat=/new", "stat=/new/deep/er", "cat=/new/deep/er/file", "cat=/new/file")
	same(t, "folders", got, "drwxr-xr-x 0:0\ndrwxr-xr-x 0:0\nx\ny\n")
}

func filesKeepFolders(t *testing.T, b *bench) {
	before := b.printed(t, nil, "stat=/tmp")
	after := b.printed(t, []engine.File{{Path: "/tmp/file", Content: []byte("x")}}, "stat=/tmp")
	same(t, "/tmp with a file put into it", after, before)
}
