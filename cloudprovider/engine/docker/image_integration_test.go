//go:build integration

package docker_test

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine/docker"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// programPath is where the suite's program is in its image.
const programPath = "/program"

// suiteImage makes sure that the engine has the suite's image, and returns its
// reference, which follows from the image's content. It stays there, for the next time.
func suiteImage(t *testing.T, e *docker.Engine) string {
	t.Helper()
	layer := archive(t, []entry{
		{tar.Header{Typeflag: tar.TypeReg, Name: "program", Mode: 0o755}, build(t)},
		{tar.Header{Typeflag: tar.TypeDir, Name: "tmp/", Mode: 0o1777}, nil},
	})
	config, err := json.Marshal(map[string]any{
		"architecture": runtime.GOARCH, "os": "linux", "created": "2020-01-01T00:00:00Z",
		"config": map[string]any{
			"Entrypoint": []string{programPath}, "Labels": map[string]string{enginetest.SuiteLabel: "program"},
		},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + sum(layer)}},
	})
	check(t, err)
	ref := "localhost/magekind/contract:" + sum(config)[:12]
	if _, err := e.Image(t.Context(), ref); err == nil {
		return ref
	}
	manifest, err := json.Marshal([]map[string]any{{
		"Config": "config.json", "RepoTags": []string{ref}, "Layers": []string{"layer.tar"},
	}})
	check(t, err)
	load(t, e, archive(t, []entry{
		{tar.Header{Name: "manifest.json", Mode: 0o644}, manifest},
		{tar.Header{Name: "config.json", Mode: 0o644}, config},
		{tar.Header{Name: "layer.tar", Mode: 0o644}, layer},
	}))
	return ref
}

func load(t *testing.T, e *docker.Engine, image []byte) {
	t.Helper()
	loaded, err := e.API().ImageLoad(context.Background(), bytes.NewReader(image))
	check(t, err)
	defer loaded.Body.Close()
	said, err := io.ReadAll(loaded.Body)
	check(t, err)
	if bytes.Contains(said, []byte(`"error"`)) {
		t.Fatalf("loading the suite's image: %s", said)
	}
}

// build compiles the suite's program.
func build(t *testing.T) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", out, "../enginetest/program")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building the suite's program: %v\n%s", err, said)
	}
	program, err := os.ReadFile(out)
	check(t, err)
	return program
}

type entry struct {
	header  tar.Header
	content []byte
}

func archive(t *testing.T, entries []entry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, e := range entries {
		e.header.Size = int64(len(e.content))
		check(t, w.WriteHeader(&e.header))
		_, err := w.Write(e.content)
		check(t, err)
	}
	check(t, w.Close())
	return out.Bytes()
}

func sum(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }
