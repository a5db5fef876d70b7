package kubeconfig_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

func TestMergeIntoNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), ".kube", "config")
	if got := merge(t, []string{path}, ours("x", "https://127.0.0.1:1")); got != path {
		t.Errorf("got path %q, want %q", got, path)
	}
	access, err := kubeconfig.Parse([]byte(read(t, path)))
	if err != nil || access.Server != "https://127.0.0.1:1" {
		t.Errorf("got access %+v and error %v", access, err)
	}
	if got := mode(t, path); got != 0o600 {
		t.Errorf("got mode %s, want 0600", got)
	}
	onlyFiles(t, filepath.Dir(path), "config")
	remove(t, []string{path}, "kind-x")
	equal(t, read(t, path), "apiVersion: v1\nkind: Config\nclusters: []\nusers: []\ncontexts: []\ncurrent-context: \"\"\n")
}

func TestMergeKeepsAllElse(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, theirs)
	const first, second = "https://127.0.0.1:1", "https://127.0.0.1:2"
	merge(t, []string{path}, ours("x", first))
	merged := read(t, path)
	_, err := kubeconfig.Merge(t.Context(), []string{path}, ours("x", second), "https://other:1")
	var taken *kubeconfig.Taken
	if !errors.As(err, &taken) || taken.Server != first || read(t, path) != merged {
		t.Errorf("got error %v and file\n%s", err, read(t, path))
	}
	if _, err := kubeconfig.Merge(t.Context(), []string{path}, ours("x", second), first); err != nil {
		t.Fatal(err)
	}
	got := read(t, path)
	if n := strings.Count(got, "name: kind-x\n"); n != 3 {
		t.Errorf("got %d entries of ours, want 3:\n%s", n, got)
	}
	if strings.Contains(got, "127.0.0.1:1\n") || !strings.Contains(got, "current-context: kind-x # mine\n") {
		t.Errorf("got an old entry or another current-context:\n%s", got)
	}
	remove(t, []string{path}, "kind-x")
	equal(t, read(t, path), strings.Replace(theirs, "current-context: work", `current-context: ""`, 1))
}

func TestMergeStyles(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, before, after string }{
		{"empty", "", "apiVersion: v1\nkind: Config\nclusters: []\nusers: []\ncontexts: []\ncurrent-context: \"\"\n"},
		{"null", "null\n", "apiVersion: v1\nkind: Config\nclusters: []\nusers: []\ncontexts: []\ncurrent-context: \"\"\n"},
		{"comments", "# nothing yet\n", "# nothing yet\napiVersion: v1\nkind: Config\nclusters: []\nusers: []\ncontexts: []\ncurrent-context: \"\"\n"},
		{
			"kubectl's empty", "apiVersion: v1\nclusters: null\ncontexts: null\ncurrent-context: \"\"\nkind: Config\npreferences: {}\nusers: null\n",
			"apiVersion: v1\nclusters: []\ncontexts: []\ncurrent-context: \"\"\nkind: Config\npreferences: {}\nusers: []\n",
		},
		{
			"json", `{"kind": "Config", "clusters": [{"name": "a", "cluster": {"server": "s"}}]}`,
			`{"kind": "Config", "clusters": [{"name": "a", "cluster": {"server": "s"}}], "apiVersion": "v1", "users": [], "contexts": [], "current-context": ""}` + "\n",
		},
		{"comments behind names", "contexts: # mine\nclusters: [] # yours\nusers: # whose\n", "contexts: [] # mine\nclusters: [] # yours\nusers: [] # whose\napiVersion: v1\nkind: Config\ncurrent-context: \"\"\n"},
		{"another context", "current-context: a\nkind: Config\n", "current-context: \"\"\nkind: Config\napiVersion: v1\nclusters: []\nusers: []\ncontexts: []\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "config")
			write(t, path, test.before)
			merge(t, []string{path}, ours("x", "https://127.0.0.1:1"))
			if _, err := kubeconfig.Parse([]byte(read(t, path))); err != nil {
				t.Errorf("%v:\n%s", err, read(t, path))
			}
			remove(t, []string{path}, "kind-x")
			got := strings.Join(strings.Fields(read(t, path)), " ")
			want := strings.Join(strings.Fields(test.after), " ")
			if strings.HasPrefix(test.before, "{") { // how JSON is quoted and broken into lines does not matter
				got, want = strings.ReplaceAll(got, `"`, ""), strings.ReplaceAll(want, `"`, "")
			}
			equal(t, got, want)
		})
	}
}

func TestMergeConcurrently(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, theirs)
	const writers = 8
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			for range 2 {
				if _, err := kubeconfig.Merge(t.Context(), []string{path}, ours(fmt.Sprint("x", i), "https://127.0.0.1:1")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for i := range writers {
		if n := strings.Count(read(t, path), fmt.Sprintf("name: kind-x%d\n", i)); n != 3 {
			t.Errorf("got %d entries of x%d, want 3", n, i)
		}
	}
	for i := range writers {
		all.Go(func() {
			if err := kubeconfig.Remove(t.Context(), path, fmt.Sprint("kind-x", i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	equal(t, read(t, path), strings.Replace(theirs, "current-context: work", `current-context: ""`, 1))
	onlyFiles(t, filepath.Dir(path), "config")
}

func TestMergeRefuses(t *testing.T) {
	t.Parallel()
	good := string(ours("x", "https://127.0.0.1:1"))
	tests := []struct{ name, before, raw, want string }{
		{"tabs", "clusters:\n\t- x\n", good, "not valid YAML"},
		{"half a file", "clusters: [", good, "not valid YAML"},
		{"text", "hello\n", good, "top level is not a mapping"},
		{"a list", "- a\n", good, "top level is not a mapping"},
		{"clusters is a mapping", "clusters: {a: b}\n", good, "clusters is not a list"},
		{"two documents", "kind: Config\n---\nkind: Config\n", good, "more than one YAML document"},
		{"raw is no YAML", theirs, "a: [", "parse kubeconfig to merge"},
		{"raw has no context", theirs, "kind: Config", "no current-context"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "config")
			write(t, path, test.before)
			_, err := kubeconfig.Merge(t.Context(), []string{path}, []byte(test.raw))
			fails(t, err, test.want)
			equal(t, read(t, path), test.before)
			if test.raw == good {
				fails(t, err, path)
				if err := kubeconfig.Remove(t.Context(), path, "kind-x"); err != nil {
					t.Errorf("nothing of ours was in it, but got error %v", err)
				}
				write(t, path, test.before+"\n# kind-x\n")
				fails(t, kubeconfig.Remove(t.Context(), path, "kind-x"), path, test.want, "by hand")
				write(t, path, test.before)
			}
			onlyFiles(t, filepath.Dir(path), "config")
		})
	}
	_, err := kubeconfig.Merge(t.Context(), nil, []byte(good))
	fails(t, err, "KUBECONFIG")
}

// TestRemoveAnchor removes an entry that another one refers to.
func TestRemoveAnchor(t *testing.T) {
	t.Parallel()
	const before = "users:\n- name: kind-x\n  user: &me {token: a}\n- name: b\n  user: *me\n"
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, before)
	fails(t, kubeconfig.Remove(t.Context(), path, "kind-x"), path, "me")
	equal(t, read(t, path), before)
}

// TestRemoveCurrentContext is all that is left of a cluster whose entries somebody deleted.
func TestRemoveCurrentContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, "kind: Config\ncurrent-context: kind-x\n")
	remove(t, []string{path}, "kind-x")
	equal(t, read(t, path), "kind: Config\ncurrent-context: \"\"\n")
}
