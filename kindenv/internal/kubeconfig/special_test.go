//go:build unix

package kubeconfig_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

// TestMergeFollowsLinks has the ways in which people keep the file elsewhere.
func TestMergeFollowsLinks(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		links  [][2]string // name and target, below the test's folder
		path   string
		target string // where the file is to be
		exists bool
		fail   string
	}{
		"dangling":                    {links: [][2]string{{"config", "real"}}, path: "config", target: "real"},
		"into a folder that is none":  {links: [][2]string{{"config", "no/real"}}, path: "config", target: "", fail: "no such file"},
		"a chain":                     {links: [][2]string{{"a", "b"}, {"b", "dir/c"}, {"dir/c", "../real"}}, path: "a", target: "real", exists: true},
		"up from a folder linked to":  {links: [][2]string{{"home/kube", "../dir"}, {"dir/config", "../real"}}, path: "home/kube/config", target: "real", exists: true},
		"dangling, up from such":      {links: [][2]string{{"home/kube", "../dir"}, {"dir/config", "../real"}}, path: "home/kube/config", target: "real"},
		"in a folder that is a link":  {links: [][2]string{{"home/kube", "../dir"}}, path: "home/kube/config", target: "dir/config", exists: true},
		"below a folder linked twice": {links: [][2]string{{"home/kube", "again"}, {"home/again", "../dir"}}, path: "home/kube/config", target: "dir/config"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for _, dir := range []string{"home", "dir"} {
				if err := os.Mkdir(filepath.Join(root, dir), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for _, link := range test.links {
				if err := os.Symlink(link[1], filepath.Join(root, link[0])); err != nil {
					t.Skip(err)
				}
			}
			path, target := filepath.Join(root, test.path), filepath.Join(root, test.target)
			if test.exists {
				write(t, target, theirs)
			}
			_, err := kubeconfig.Merge(t.Context(), []string{path}, ours("x", "https://127.0.0.1:1"))
			if test.fail != "" {
				fails(t, err, test.fail, path)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !mode(t, target).IsRegular() || !strings.Contains(read(t, target), "kind-x") || strings.Contains(read(t, target), "work") != test.exists {
				t.Errorf("the target is\n%s", read(t, target))
			}
			remove(t, []string{path}, "kind-x")
			if strings.Contains(read(t, target), "kind-x") {
				t.Errorf("not removed:\n%s", read(t, target))
			}
			for _, link := range test.links {
				if got, err := os.Readlink(filepath.Join(root, link[0])); got != link[1] {
					t.Errorf("link %s is %q (%v)", link[0], got, err)
				}
			}
		})
	}
}

// TestFolderInItsPlace: nothing can be in it, so there is nothing to remove.
func TestFolderInItsPlace(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	write(t, filepath.Join(path, "file"), theirs)
	_, err := kubeconfig.Merge(t.Context(), []string{path}, ours("x", "https://127.0.0.1:1"))
	fails(t, err, path, "not a regular file")
	remove(t, []string{path}, "kind-x")
	onlyFiles(t, filepath.Dir(path), "config")
	onlyFiles(t, path, "file")
	other := filepath.Join(filepath.Dir(path), "other")
	if got := merge(t, []string{path, other}, ours("x", "https://127.0.0.1:1")); got != other {
		t.Errorf("merged into %q, want %q", got, other)
	}
}

// TestMergeRespectsImmutable has a file that even root may not change, though
// its mode says otherwise.
func TestMergeRespectsImmutable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, theirs)
	if out, err := exec.CommandContext(t.Context(), "chattr", "+i", path).CombinedOutput(); err != nil {
		t.Skipf("no immutable files here: %v: %s", err, out)
	}
	defer func() {
		if err := exec.Command("chattr", "-i", path).Run(); err != nil {
			t.Error(err)
		}
	}()
	_, err := kubeconfig.Merge(t.Context(), []string{path}, ours("x", "https://127.0.0.1:1"))
	fails(t, err, path, "not permitted")
	fails(t, kubeconfig.Remove(t.Context(), path, "work"), path, "not permitted", `delete the entries named "work" under clusters, contexts and users`)
	remove(t, []string{path}, "kind-x")
	equal(t, read(t, path), theirs)
	onlyFiles(t, filepath.Dir(path), "config")
}

// TestMergeKeepsLineEnds: an editor on Windows wrote the file.
func TestMergeKeepsLineEnds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	before := strings.ReplaceAll(theirs, "\n", "\r\n")
	write(t, path, before)
	merge(t, []string{path}, ours("x", "https://127.0.0.1:1"))
	if got := read(t, path); strings.Count(got, "\n") != strings.Count(got, "\r\n") || !strings.Contains(got, "name: kind-x\r\n") {
		t.Errorf("got other line ends:\n%q", got)
	}
	remove(t, []string{path}, "kind-x")
	equal(t, read(t, path), strings.Replace(before, "current-context: work", `current-context: ""`, 1))
}

// TestMergeKeepsEntries compares what is not ours before and after, as kubectl
// would read it, in files that are written in unusual ways.
func TestMergeKeepsEntries(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"plain":   theirs,
		"json":    `{"apiVersion":"v1","kind":"Config","clusters":[{"name":"a","cluster":{"server":"https://a","certificate-authority-data":"LS0t"}}],"users":[{"name":"u","user":{"token":"0123"}}],"contexts":null,"current-context":"a"}`,
		"anchors": "x-all: &all {insecure-skip-tls-verify: true}\nclusters:\n- name: a\n  cluster: {<<: *all, server: s}\n- name: b\n  cluster: &b {server: t}\n- name: c\n  cluster: *b\n",
		"quoted":  "kind: 'Config'\nusers:\n- name: \"yes\"\n  user: {token: 'on', password: '0x1F', username: \"null\"}\n- name: 012\n  user: {token: 1e3}\n",
		"block":   "users:\n- name: a\n  user:\n    token: |-\n      one\n        two\n    password: >\n      folded\n      text\n\n      more\n",
		"tabs":    "kind: Config\t# a tab\nclusters:\t\n- name:\ta\n  cluster:\t{server:\ts}\n",
		"long":    "users:\n- name: a\n  user: {token: " + strings.Repeat("word ", 200) + "end}\n",
		"unicode": "users:\n- name: é\n  user: {token: \"☃ \\u00e9\"}\n# ☃\n",
		"order":   "users: []\ncontexts:\n- {context: {user: u, cluster: b}, name: z}\n- {name: a, context: {cluster: b, user: u}}\nclusters:\n- {cluster: {server: s}, name: b}\nkind: Config\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "config")
			write(t, path, content)
			before := foreign(t, path)
			if before["apiVersion"] == nil {
				before["apiVersion"] = "v1" // added where it is missing
			}
			if before["kind"] == nil {
				before["kind"] = "Config"
			}
			merge(t, []string{path}, ours("x", "https://127.0.0.1:1"))
			same(t, foreign(t, path), before)
			remove(t, []string{path}, "kind-x")
			same(t, foreign(t, path), before)
			if strings.Contains(read(t, path), "kind-x") {
				t.Errorf("entries are left:\n%s", read(t, path))
			}
		})
	}
}
