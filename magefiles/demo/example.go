package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/magekind/magekind/kindenv"
)

const (
	project  = "examples/loadbalancer"
	manifest = "manifests/hello.yaml"
	// placeholder is the image in the manifest, which the example's own
	// magefile replaces in the same way.
	placeholder = "localhost/magekind/example:dev"
)

// Config is the environment of the example in the working tree root, without
// what [Deploy] adds.
func Config(root string) kindenv.Config {
	return kindenv.Config{Dir: filepath.Join(root, filepath.FromSlash(project))}
}

// Deploy makes cfg run the example with the given image: it writes the
// manifest, with the image's name in it, to the folder out of the working tree.
func Deploy(root, image string, cfg *kindenv.Config) error {
	source := filepath.Join(root, filepath.FromSlash(project), filepath.FromSlash(manifest))
	text, err := os.ReadFile(source)
	if err != nil {
		return fmt.Errorf("reading the example's manifest: %w", err)
	}
	if !strings.Contains(string(text), placeholder) {
		return fmt.Errorf("the example's manifest %q does not name the image %q", source, placeholder)
	}
	target := filepath.Join(root, "out", filepath.Base(manifest))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return fmt.Errorf("writing the example's manifest: %w", err)
	}
	deployed := strings.ReplaceAll(string(text), placeholder, image)
	if err := os.WriteFile(target, []byte(deployed), 0o644); err != nil {
		return fmt.Errorf("writing the example's manifest: %w", err)
	}
	cfg.Images = []string{image}
	cfg.Manifests = []string{target}
	return nil
}
