package name_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/name"
)

func ExampleResolve() {
	got, err := name.Resolve("", "", ".") // in this module's folder
	fmt.Println(got, err)
	// Output: magekind <nil>
}

func TestResolve(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name          string
		files         map[string]string // what there is, by path; a path that ends with / is a folder
		dir           string            // where to look
		explicit, env string
		want          string
	}{
		{name: "explicit", explicit: "mine", env: "theirs", files: map[string]string{"go.mod": "module example.com/shop"}, want: "mine"},
		{name: "environment", env: "theirs", files: map[string]string{"go.mod": "module example.com/shop"}, want: "theirs"},
		{name: "module", files: map[string]string{"go.mod": "// shop\nmodule example.com/Shop // the shop\n\ngo 1.26\n"}, want: "shop"},
		{name: "major version", files: map[string]string{"go.mod": "module example.com/shop/v2\n"}, want: "shop"},
		{name: "gopkg.in", files: map[string]string{"go.mod": "module gopkg.in/shop.v3\n"}, want: "shop"},
		{name: "quoted", files: map[string]string{"go.mod": "module \"shop\"\n"}, want: "shop"},
		{name: "module above", files: map[string]string{"go.mod": "module example.com/shop", "cmd/x/": ""}, dir: "cmd/x", want: "shop"},
		{name: "nearest module", files: map[string]string{"go.mod": "module example.com/shop", "tools/go.mod": "module tools"}, dir: "tools", want: "tools"},
		{name: "module without a name", files: map[string]string{"go.mod": "go 1.26\n", ".git/": ""}, want: "project_root"},
		{name: "git root", files: map[string]string{".git/": "", "deep/er/": ""}, dir: "deep/er", want: "project-root"},
		{name: "git work tree", files: map[string]string{".git": "gitdir: elsewhere", "deep/": ""}, dir: "deep", want: "project-root"},
		{name: "folder", files: map[string]string{"Deep_Folder/": ""}, dir: "Deep_Folder", want: "deep-folder"},
		{name: "long", files: map[string]string{"go.mod": "module example.com/" + strings.Repeat("x", 60)}, want: strings.Repeat("x", 29) + "-42f2d97335"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			root := filepath.Join(t.TempDir(), "Project_Root")
			for path, content := range test.files {
				write(t, filepath.Join(root, path), content, strings.HasSuffix(path, "/"))
			}
			got, err := name.Resolve(test.explicit, test.env, filepath.Join(root, test.dir))
			if want := strings.ReplaceAll(test.want, "_", "-"); got != want || err != nil {
				t.Errorf("got %q and error %v, want %q", got, err, want)
			}
		})
	}
}

func write(t *testing.T, path, content string, folder bool) {
	t.Helper()
	parent := filepath.Dir(path)
	if folder {
		parent = path
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		t.Fatal(err)
	}
	if folder {
		return
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestResolveRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		explicit, env string
		want          string
	}{
		{"My_Shop", "", `Name: invalid cluster name "My_Shop"`},
		{"", "-x", `KIND_CLUSTER_NAME: invalid cluster name "-x"`},
		{"", strings.Repeat("x", 60), `KIND_CLUSTER_NAME: invalid cluster name "xxx`},
	}
	for _, test := range tests {
		got, err := name.Resolve(test.explicit, test.env, t.TempDir())
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got %q and error %v, want an error that begins with %q", got, err, test.want)
		}
	}
}

func TestResolveNeedsToReadTheModule(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "", true) // a folder of that name
	if got, err := name.Resolve("", "", dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("got %q and error %v, want an error that names %q", got, err, dir)
	}
}
