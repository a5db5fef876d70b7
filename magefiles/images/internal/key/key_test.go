package key_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/magekind/magekind/magefiles/images/internal/key"
)

func ExampleNew() {
	k := key.New("bookworm", "systemd")
	k.Text("iptables")
	_ = "localhost/example:" + k.String()
}

func TestTextsAreKeptApart(t *testing.T) {
	t.Parallel()
	if got, other := key.New("ab", "c").String(), key.New("a", "bc").String(); got == other {
		t.Errorf("both keys are %s", got)
	}
}

// write makes a file below root, with its folders.
func write(t *testing.T, root, name, content string, mode os.FileMode) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func tree(t *testing.T, root string) string {
	t.Helper()
	k := key.New()
	if err := k.Tree(root, "other"); err != nil {
		t.Fatal(err)
	}
	return k.String()
}

func TestTree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(t *testing.T, root string)
		same   bool
	}{
		{name: "nothing", same: true, change: func(*testing.T, string) {}},
		{name: "content", change: func(t *testing.T, root string) { write(t, root, "main.go", "package other", 0o644) }},
		{name: "new file", change: func(t *testing.T, root string) { write(t, root, "sub/more.go", "package sub", 0o644) }},
		{name: "mode", change: func(t *testing.T, root string) {
			if err := os.Chmod(filepath.Join(root, "run"), 0o755); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "renamed", change: func(t *testing.T, root string) {
			if err := os.Rename(filepath.Join(root, "run"), filepath.Join(root, "walk")); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "test", same: true, change: func(t *testing.T, root string) { write(t, root, "main_test.go", "package main", 0o644) }},
		{name: "testdata", same: true, change: func(t *testing.T, root string) { write(t, root, "testdata/x", "x", 0o644) }},
		{name: "hidden", same: true, change: func(t *testing.T, root string) { write(t, root, ".main.go.swp", "x", 0o644) }},
		{name: "documentation", same: true, change: func(t *testing.T, root string) { write(t, root, "README.md", "x", 0o644) }},
		{name: "skipped folder", same: true, change: func(t *testing.T, root string) { write(t, root, "other/main.go", "x", 0o644) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			write(t, root, "main.go", "package main", 0o644)
			write(t, root, "run", "#!/bin/sh", 0o644)
			before := tree(t, root)
			c.change(t, root)
			if got := tree(t, root) == before; got != c.same {
				t.Errorf("key unchanged: got %t, want %t", got, c.same)
			}
		})
	}
}

func TestTreeOfNothing(t *testing.T) {
	t.Parallel()
	if err := key.New().Tree(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("no error for an absent folder")
	}
}
