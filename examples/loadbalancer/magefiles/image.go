//go:build mage

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/magefile/mage/sh"
)

const (
	// repository is the image's name; the tag says what is in it.
	repository = "localhost/magekind/example"
	// output is where everything that is made goes.
	output = "build"
)

// buildImage builds the program and its image, and returns the image's name.
func buildImage() (string, error) {
	static := map[string]string{"CGO_ENABLED": "0", "GOOS": "linux"}
	err := sh.RunWith(static, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(output, "hello"), "./cmd/hello")
	if err != nil {
		return "", err
	}
	id, err := sh.Output(runtime(), "build", "--quiet", "--file", "Dockerfile", output)
	if err != nil {
		return "", err
	}
	content := strings.TrimPrefix(id, "sha256:")
	if len(content) < 12 {
		return "", fmt.Errorf("building the image: %q is no image ID", id)
	}
	image := repository + ":" + content[:12]
	return image, sh.Run(runtime(), "tag", id, image)
}

// runtime is the program that builds images: the one that kind uses.
func runtime() string {
	if provider := os.Getenv("KIND_EXPERIMENTAL_PROVIDER"); provider != "" {
		return provider
	}
	return "docker"
}

// writeManifest writes the manifest with the image's name in it, and returns its path.
func writeManifest(image string) (string, error) {
	raw, err := os.ReadFile(filepath.Join("manifests", "hello.yaml"))
	if err != nil {
		return "", err
	}
	text := strings.ReplaceAll(string(raw), repository+":dev", image)
	path := filepath.Join(output, "hello.yaml")
	return path, os.WriteFile(path, []byte(text), 0o644)
}
