//go:build integration

package cloudprovider_test

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// lab is a real engine with a network and an image of a test's own, both
// removed after it.
type lab struct {
	*docker.Engine
	t     *testing.T
	id    string // unique; also the cluster's name
	image string
}

// newLab makes an image that behaves as mode says; see testdata/provider.
func newLab(t *testing.T, mode string) lab {
	t.Helper()
	e, err := docker.Open(t.Context(), docker.Options{Host: os.Getenv("MAGEKIND_TEST_HOST")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	id := "cp-test-" + strings.ToLower(rand.Text()[:10])
	l := lab{Engine: e, t: t, id: id, image: "localhost/magekind/" + id + ":" + mode}
	l.docker(nil, "network", "create", id)
	t.Cleanup(func() { l.docker(nil, "network", "rm", id) })
	l.docker(program(t), "import", "--change", `ENTRYPOINT ["/program", "`+mode+`"]`, "--change", "ENV PROVIDER_IMAGE="+l.image, "-", l.image)
	t.Cleanup(func() { l.docker(nil, "image", "rm", l.image) })
	return l
}

// docker runs the CLI for what the engine interface has no call for.
func (l lab) docker(stdin []byte, args ...string) {
	l.t.Helper()
	l.command(stdin, args...)
}

// output is docker for its answer.
func (l lab) output(args ...string) string {
	l.t.Helper()
	return strings.TrimSpace(l.command(nil, args...))
}

func (l lab) command(stdin []byte, args ...string) string {
	l.t.Helper()
	command := exec.CommandContext(context.WithoutCancel(l.t.Context()), "docker", args...)
	command.Env = append(os.Environ(), "DOCKER_HOST="+l.Endpoint().Host)
	command.Stdin = bytes.NewReader(stdin)
	out, err := command.CombinedOutput()
	if err != nil {
		l.t.Fatalf("docker %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// program compiles the provider and packs it for docker import.
func program(t *testing.T) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	command := exec.CommandContext(t.Context(), "go", "build", "-o", file, "./testdata/provider")
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("build the provider: %v\n%s", err, out)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	if err := w.WriteHeader(&tar.Header{Name: "program", Mode: 0o755, Size: int64(len(content))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// controller returns one for the lab, stopped after the test.
func (l lab) controller() *cloudprovider.Controller { return l.controllerOn(l) }

func (l lab) controllerOn(eng engine.Engine) *cloudprovider.Controller {
	l.t.Helper()
	cfg := cloudprovider.DefaultConfig()
	cfg.Image, cfg.Network, cfg.ClusterName = l.image, l.id, l.id
	cfg.CacheDir = l.t.TempDir()
	c := cloudprovider.New(eng, cfg)
	l.t.Cleanup(func() {
		if err := c.Stop(context.WithoutCancel(l.t.Context())); err != nil {
			l.t.Error(err)
		}
	})
	return c
}

// wantOwn fails unless the containers of ours for this lab have these names.
func (l lab) wantOwn(want ...string) {
	l.t.Helper()
	found, err := l.List(context.WithoutCancel(l.t.Context()), map[string]string{cloudprovider.LabelOwner: l.id})
	if err != nil {
		l.t.Fatal(err)
	}
	var got []string
	for _, container := range found {
		got = append(got, container.Name)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		l.t.Errorf("got containers %q, want %q", got, want)
	}
}
