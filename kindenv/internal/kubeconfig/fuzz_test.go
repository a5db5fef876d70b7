package kubeconfig_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

// files are kubeconfigs, whole and broken.
func files() []string {
	return []string{
		"", theirs, string(ours("x", "https://127.0.0.1:1")), "null", "# nothing\n", "{}", "[]", "a", "\x00", "\xff\xfe", "---\n---\n", "clusters: null",
		"clusters: {}", "users: [a, {name: kind-x}, {name: [b]}, 1]", "contexts: [{name: &a kind-x}, {name: *a}]", "current-context: [kind-x]",
		"clusters: &c []\nusers: *c\ncontexts: *c\n", "x: &x {name: kind-x}\nusers: [*x, *x]\n", "<<: {clusters: []}", "? {a: b}\n: c\n",
		"clusters:\n- name: kind-x\n- name: kind-x\n", `{"kind": "Config", "clusters": [{"name": "a", "cluster": {"server": "s"}}]}`,
		"users:\n- name: a\n  user: {token: &t s3cret}\n- name: b\n  user: {token: *t}\n", "%YAML 1.2\n---\nkind: Config\n", "a: !!binary x\nclusters: []\n",
		"clusters: []\nclusters: []\n", "\"clusters\": []\r\nusers: []\r\n", "\ufeffkind: Config\n",
	}
}

// FuzzParse: any bytes are read or refused, and an access has all its parts.
func FuzzParse(f *testing.F) {
	for _, text := range files() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		access, err := kubeconfig.Parse(raw)
		if err == nil && (access.Server == "" || access.Key == nil || access.Cert == nil || access.CA == nil) {
			t.Errorf("got %+v without an error", access)
		}
	})
}

// FuzzParseKeepsSecrets: an error about a file does not quote what is in it.
func FuzzParseKeepsSecrets(f *testing.F) {
	for _, text := range files() {
		f.Add(text, "")
		f.Add("", text)
	}
	for _, field := range []string{"users: ", "users: [{user: ", "users: [{name: x, user: {client-key-data: ", "clusters: [", "contexts: [{context: ", "a: *"} {
		f.Add(field, "\n")
		f.Add(field+"\"", "\"")
	}
	const secret = "s3cretQx" // short, so that nobody cuts it
	f.Fuzz(func(t *testing.T, before, after string) {
		_, err := kubeconfig.Parse([]byte(before + secret + after))
		if err != nil && strings.HasPrefix(err.Error(), "read access") {
			return // it says which context, cluster or user lacks something
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("got error %q", err)
		}
	})
}

// FuzzMerge puts our entries into any file and takes them out again. Whatever
// fails leaves the file as it was; else no entry but ours is another one.
func FuzzMerge(f *testing.F) {
	for _, text := range files() {
		f.Add([]byte(text))
	}
	path := filepath.Join(f.TempDir(), "config")
	f.Fuzz(func(t *testing.T, before []byte) {
		if err := os.WriteFile(path, before, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := kubeconfig.Merge(t.Context(), []string{path}, ours("x", "https://127.0.0.1:1")); err != nil {
			if got := read(t, path); got != string(before) {
				t.Errorf("failed with %v, and left\n%q\nof\n%q", err, got, before)
			}
			return
		}
		merged := read(t, path)
		if readable(before) {
			access, err := kubeconfig.Parse([]byte(merged))
			if err != nil || access.Server != "https://127.0.0.1:1" {
				t.Errorf("got %+v and %v from\n%s", access, err, merged)
			}
		}
		sameElse(t, before, merged)
		if err := kubeconfig.Remove(t.Context(), path, "kind-x"); err != nil {
			t.Fatalf("%v, from\n%s", err, merged)
		}
		removed := read(t, path)
		sameElse(t, before, removed)
		if strings.Contains(removed, "127.0.0.1:1") && !bytes.Contains(before, []byte("127.0.0.1:1")) {
			t.Errorf("ours is still there:\n%s", removed)
		}
	})
}

// readable reports whether kubectl could read a file: all in it has the right type.
func readable(raw []byte) bool {
	_, err := kubeconfig.Parse(raw)
	return err == nil || !strings.HasPrefix(err.Error(), "parse kubeconfig")
}

// sameElse fails unless two files have the same entries but for kind-x's, and the same fields beside them.
func sameElse(t *testing.T, before []byte, after string) {
	t.Helper()
	got, want := elseOf(t, []byte(after)), elseOf(t, before)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%v\nwant\n%v\nof\n%q\nin\n%q", got, want, before, after)
	}
}

// elseOf is a file without our entries, and without what merging may add.
func elseOf(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		t.Fatalf("%v in\n%q", err, raw)
	}
	out := map[string]any{}
	for field, value := range doc {
		switch field {
		case "apiVersion", "kind", "current-context":
		case "clusters", "users", "contexts":
			var rest []any
			list, _ := value.([]any)
			for _, entry := range list {
				if fields, ok := entry.(map[string]any); !ok || fields["name"] != "kind-x" {
					rest = append(rest, entry)
				}
			}
			if rest != nil {
				out[field] = rest
			}
		default:
			out[field] = value
		}
	}
	return out
}
