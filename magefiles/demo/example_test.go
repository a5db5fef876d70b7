package demo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/magefiles/consumer"
	"github.com/magekind/magekind/magefiles/demo"
)

// TestDeploy works on a copy of the example's real manifest.
func TestDeploy(t *testing.T) {
	t.Parallel()
	tree, err := consumer.Root()
	if err != nil {
		t.Fatal(err)
	}
	const path = "examples/loadbalancer/manifests/hello.yaml"
	text, err := os.ReadFile(filepath.Join(tree, path))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, path), text, 0o644); err != nil {
		t.Fatal(err)
	}

	var cfg kindenv.Config
	if err := demo.Deploy(root, "localhost/x:1", &cfg); err != nil {
		t.Fatal(err)
	}
	if len(cfg.Images) != 1 || len(cfg.Manifests) != 1 {
		t.Fatalf("Images, Manifests = %q, %q; want one of each", cfg.Images, cfg.Manifests)
	}
	deployed, err := os.ReadFile(cfg.Manifests[0])
	if err != nil || !strings.Contains(string(deployed), "image: localhost/x:1\n") || strings.Contains(string(deployed), "image: localhost/magekind") {
		t.Errorf("%v; the manifest does not run the image alone:\n%s", err, deployed)
	}
}

func TestDeployWithoutAnExample(t *testing.T) {
	t.Parallel()
	if err := demo.Deploy(t.TempDir(), "localhost/x:1", new(kindenv.Config)); err == nil {
		t.Error("Deploy() = nil; want an error")
	}
}
