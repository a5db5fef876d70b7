package kubeconfig_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

func TestPaths(t *testing.T) {
	t.Parallel()
	list := func(paths ...string) string { return strings.Join(paths, string(filepath.ListSeparator)) }
	home := filepath.Join("/home/me", ".kube", "config")
	tests := []struct {
		env  map[string]string
		want []string
	}{
		{map[string]string{"HOME": "/home/me"}, []string{home}},
		{map[string]string{"USERPROFILE": "/home/me"}, []string{home}},
		{map[string]string{"HOME": "/home/me", "KUBECONFIG": "a"}, []string{"a"}},
		{map[string]string{"HOME": "/home/me", "KUBECONFIG": list("", "b", "a", "b", "")}, []string{"b", "a"}},
		{map[string]string{"HOME": "/home/me", "KUBECONFIG": list("", "")}, []string{home}},
		{nil, nil},
	}
	for _, test := range tests {
		if got := kubeconfig.Paths(func(name string) string { return test.env[name] }); !slices.Equal(got, test.want) {
			t.Errorf("%v: got %q, want %q", test.env, got, test.want)
		}
	}
}

func TestMergeChoosesFile(t *testing.T) {
	t.Parallel()
	entry := "clusters:\n- name: kind-x\n  cluster: {server: old}\n"
	tests := []struct {
		name    string
		files   map[string]string // those that exist of a, b and c
		want    string            // where the entries go
		current string            // where the current context is set
	}{
		{"none exists", nil, "c", "c"},
		{"first", map[string]string{"a": "", "b": ""}, "a", "a"},
		{"first that exists", map[string]string{"b": "", "c": ""}, "b", "b"},
		{"the one that has the entry", map[string]string{"a": "", "b": "", "c": entry}, "c", "a"},
		{"first that has the entry", map[string]string{"b": entry, "c": entry}, "b", "b"},
		{"one that only has the current context", map[string]string{"a": "", "b": "current-context: kind-x\n"}, "a", "a"},
		{"an unreadable one before", map[string]string{"a": "[", "b": entry}, "b", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var paths []string
			for _, file := range []string{"a", "b", "c"} {
				path := filepath.Join(dir, file)
				paths = append(paths, path)
				if content, exists := test.files[file]; exists {
					write(t, path, content)
				}
			}
			got, err := kubeconfig.Merge(t.Context(), paths, ours("x", "https://127.0.0.1:1"), "old")
			if test.current == "" {
				fails(t, err, "current-context", paths[0])
				equal(t, got, filepath.Join(dir, test.want))
			} else if want := filepath.Join(dir, test.want); got != want || err != nil {
				t.Errorf("got path %q and error %v, want %q", got, err, want)
			}
			for _, path := range paths {
				content, err := os.ReadFile(path)
				if err != nil {
					continue
				}
				file := filepath.Base(path)
				if got, want := strings.Contains(string(content), "127.0.0.1:1"), file == test.want; got != want {
					t.Errorf("%s has the entries: %v, want %v", file, got, want)
				}
				const current = "current-context: kind-x"
				wanted := file == test.current || strings.Contains(test.files[file], current) // what is there stays
				if got := strings.Contains(string(content), current); got != wanted {
					t.Errorf("%s has the current context: %v, want %v", file, got, wanted)
				}
			}
		})
	}
}

// TestFind has what kubectl would find: the first of each, in several files.
func TestFind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	broken, folder, one, two := filepath.Join(dir, "broken"), filepath.Join(dir, "folder"), filepath.Join(dir, "one"), filepath.Join(dir, "two")
	write(t, broken, "[")
	write(t, filepath.Join(folder, "file"), "")
	write(t, one, theirs)
	write(t, two, string(ours("x", "https://127.0.0.1:1"))+"# work\n")
	paths := []string{broken, folder, filepath.Join(dir, "absent"), one, two}
	tests := map[string]kubeconfig.Entry{
		"work":   {File: one, Server: "https://work.example:6443", Context: true},
		"kind-x": {File: two, Server: "https://127.0.0.1:1", Context: true},
		"me":     {}, // a user only
		"other":  {},
	}
	for name, want := range tests {
		got, found := kubeconfig.Find(t.Context(), paths, name)
		got.Raw = nil
		if !reflect.DeepEqual(got, want) || found != (want.File != "") {
			t.Errorf("%q: got %+v, found %v; want %+v", name, got, found, want)
		}
	}
	entry, _ := kubeconfig.Find(t.Context(), paths, "kind-x")
	if access, err := entry.Named("kind-x"); err != nil || access.Server != entry.Server || access.Key == nil {
		t.Errorf("got %+v and error %v", access, err)
	}
}
