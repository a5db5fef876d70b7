//go:build integration && linux

package outage_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// small mounts a file system of that size, in bytes.
func small(t *testing.T, dir, size string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=755,size="+size); err != nil {
		t.Fatal(err)
	}
}

// fill leaves nothing free where dir is.
func fill(t *testing.T, dir string) {
	t.Helper()
	file, err := os.Create(filepath.Join(dir, "full"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(file, zeros{})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("filling %s: %v, want %v", dir, err, syscall.ENOSPC)
	}
	file.Close()
}

type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// TestFullDisk of the engine: said so, and nothing half-made is left.
func TestFullDisk(t *testing.T) {
	data := ""
	o := newOwn(t, func(dataRoot string) { data = dataRoot; small(t, dataRoot, "1500m") })
	o.load()
	fill(t, data)
	p := newProject(t, o, "full", 0)
	err := p.Up(t.Context())
	if !errors.Is(err, engine.ErrNoSpace) {
		t.Errorf("Up = %v, want %v", err, engine.ErrNoSpace)
	}
	wantText(t, err, "no space left on device", "docker system df")
	if left := o.left("full"); left != "" {
		t.Errorf("left after a failed Up: %s", left)
	}
	t.Logf("Up: %v", err)
	pullIntoFull(t, o)
	p.down()
}

// pullIntoFull pulls an image that the disk has no room for.
func pullIntoFull(t *testing.T, o *own) {
	t.Helper()
	ref := registry(t, 64<<20)
	e, err := docker.Open(t.Context(), docker.Options{Host: o.host})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	err = e.Pull(t.Context(), ref, nil)
	if !errors.Is(err, engine.ErrNoSpace) {
		t.Errorf("Pull = %v, want %v", err, engine.ErrNoSpace)
	}
	wantText(t, err, ref, "no space left on device", "docker system df")
	if _, err := e.Image(t.Context(), ref); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("Image = %v, want that there is none", err)
	}
}

// fullCache takes the space for what is remembered on this machine: the error
// names the file, the environment is as it was, and can be removed.
func fullCache(t *testing.T, p *project) {
	t.Helper()
	cache := filepath.Join(t.TempDir(), "cache")
	small(t, cache, "64k")
	t.Cleanup(func() { _ = syscall.Unmount(cache, syscall.MNT_DETACH) })
	fill(t, cache)
	t.Setenv("XDG_CACHE_HOME", cache)
	before := p.docker("ps", "--quiet", "--no-trunc")
	err := p.Up(t.Context())
	wantText(t, err, cache, "no space left on device")
	t.Logf("Up: %v", err)
	if now := p.docker("ps", "--quiet", "--no-trunc"); now != before {
		t.Errorf("containers are %q, want those from before, %q", now, before)
	}
	if status, err := p.Status(context.Background()); err != nil || !status.Exists {
		t.Errorf("Status = %v, %v", status, err)
	}
}

func wantText(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("got %v, want an error with %q", err, part)
		}
	}
}
