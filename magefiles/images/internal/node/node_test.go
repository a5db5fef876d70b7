package node

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/magekind/magekind/magefiles/images/internal/cache"
	"github.com/magekind/magekind/magefiles/images/internal/layer"
	"github.com/magekind/magekind/magefiles/images/internal/progress"
	"github.com/magekind/magekind/magefiles/images/internal/shop"
)

// open returns a recipe for the repository's own sources.
func open(t *testing.T) recipe {
	t.Helper()
	results, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := shop.New("../..", results, progress.New(io.Discard))
	versions, err := s.Module(source).Versions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return recipe{Shop: s, versions: versions}
}

func TestImage(t *testing.T) {
	t.Parallel()
	r := open(t)
	image, err := Image(r.Shop)
	if err != nil {
		t.Fatal(err)
	}
	kubernetes := r.versions[kubernetesModule]
	if want := "localhost/magekind/node:" + kubernetes; image.Name != want || image.Labels[shop.LabelKubernetes] != kubernetes {
		t.Errorf("got %q with labels %v, want %q", image.Name, image.Labels, want)
	}
	again, err := Image(r.Shop)
	if err != nil || again.Labels[shop.LabelKey] != image.Labels[shop.LabelKey] {
		t.Errorf("the same sources have the keys %q and %q, %v", image.Labels[shop.LabelKey], again.Labels[shop.LabelKey], err)
	}
}

func TestVersionFlags(t *testing.T) {
	t.Parallel()
	r := recipe{versions: map[string]string{kubernetesModule: "v1.37.2", containerdModule: "v2.4.2"}}
	for _, want := range []string{
		"-X k8s.io/component-base/version.gitVersion=v1.37.2 ", "-X k8s.io/component-base/version.gitMajor=1 ",
		"-X k8s.io/component-base/version.gitMinor=37 ", "-X github.com/containerd/containerd/v2/version.Version=v2.4.2 ",
	} {
		if got := r.ldFlags(); !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
}

func TestVersionsMustAgree(t *testing.T) {
	t.Parallel()
	r := recipe{versions: map[string]string{"go.etcd.io/etcd/server/v3": "v3.7.0", "github.com/coredns/coredns": "v1.14.6"}}
	if err := r.agree(tags{etcd: "3.7.0-0", coredns: "v1.14.6"}); err != nil {
		t.Error(err)
	}
	for _, wrong := range []tags{{etcd: "3.6.0-0", coredns: "v1.14.6"}, {etcd: "3.7.0-0", coredns: "v1.14.5"}} {
		if err := r.agree(wrong); err == nil || !strings.Contains(err.Error(), "change it there") {
			t.Errorf("%+v: got %v, want an error that says what to do", wrong, err)
		}
	}
}

func TestHook(t *testing.T) {
	t.Parallel()
	text, err := hooked([]byte(`{"ociVersion":"1","process":{"cwd":"/","rlimits":[{"type":"RLIMIT_NOFILE"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		OCIVersion string
		Process    map[string]any
		Hooks      struct{ CreateContainer []struct{ Path string } }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if _, limited := got.Process["rlimits"]; limited || got.OCIVersion != "1" || got.Process["cwd"] != "/" {
		t.Errorf("got %s", text)
	}
	if hooks := got.Hooks.CreateContainer; len(hooks) != 1 || hooks[0].Path != "/kind/bin/mount-product-files.sh" {
		t.Errorf("got hooks %v", hooks)
	}
	for _, bad := range []string{"", "{}"} {
		if _, err := hooked([]byte(bad)); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

func TestServicesAndFiles(t *testing.T) {
	t.Parallel()
	r := open(t)
	tree := layer.New()
	if err := tree.Copy("", r.Path(source+"/"+rootfs), mode); err != nil {
		t.Fatal(err)
	}
	addServices(tree)
	var out bytes.Buffer
	if err := tree.Write(&out); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for reader := tar.NewReader(&out); ; {
		header, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		found[header.Name] = header.Linkname
	}
	for _, file := range []string{"etc/systemd/system/podnet.service", "kind/manifests/default-cni.yaml", "kind/manifests/default-storage.yaml"} {
		if _, there := found[file]; !there {
			t.Errorf("no %s", file)
		}
	}
	if got := found["etc/systemd/system/multi-user.target.wants/podnet.service"]; got != "/etc/systemd/system/podnet.service" {
		t.Errorf("podnet.service is started by a link to %q", got)
	}
}

func TestPreloadFails(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "preload")
	// A process forked while the script is open for writing would keep it so, and then nobody could execute it.
	syscall.ForkLock.RLock()
	err := os.WriteFile(program, []byte("#!/bin/sh\nhead -c 1 >/dev/null\necho bad archive >&2\nexit 1\n"), 0o755)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	err = preload(t.Context(), program, t.TempDir(), func(w io.Writer) error {
		_, err := w.Write(make([]byte, 1<<20))
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "bad archive") {
		t.Errorf("got %v, want the program's words", err)
	}
}
