package kubeconfig_test

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

// ours is a kubeconfig as kind makes it for a cluster.
func ours(name, server string) []byte {
	data := base64.StdEncoding.EncodeToString([]byte("pem of " + name))
	return fmt.Appendf(nil, `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: %[3]s
    server: %[2]s
  name: kind-%[1]s
contexts:
- context:
    cluster: kind-%[1]s
    user: kind-%[1]s
  name: kind-%[1]s
current-context: kind-%[1]s
kind: Config
users:
- name: kind-%[1]s
  user:
    client-certificate-data: %[3]s
    client-key-data: %[3]s
`, name, server, data)
}

// theirs is a kubeconfig of the user, with things that nobody here knows.
const theirs = `# my clusters
apiVersion: v1
kind: Config
preferences:
  colors: true
clusters:
- name: work # the real one
  cluster:
    server: https://work.example:6443
    proxy-url: socks5://127.0.0.1:1080
    extensions:
    - name: client.authentication.k8s.io/exec
      extension:
        audience: 0123
contexts:
- name: work
  context: {cluster: work, user: me, namespace: team}
current-context: work # mine
users:
- name: me
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: login
      args: ["--long", "yes"]
x-own: {a: [1, 2.50, "3"], t: "2026-01-02T03:04:05Z"}
`

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func merge(t *testing.T, paths []string, raw []byte) string {
	t.Helper()
	path, err := kubeconfig.Merge(t.Context(), paths, raw)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func remove(t *testing.T, paths []string, name string) {
	t.Helper()
	for _, path := range paths {
		if err := kubeconfig.Remove(t.Context(), path, name); err != nil {
			t.Fatal(err)
		}
	}
}

// onlyFiles reports a test failure unless dir has exactly these entries.
func onlyFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("got files %q in %s, want %q", got, dir, want)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func equal(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// fails reports a test failure unless err has all of these texts.
func fails(t *testing.T, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("got no error, want one with %q", want)
		return
	}
	for _, text := range want {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("got error %q, want %q in it", err, text)
		}
	}
}
