package engine

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// sources holds the helpers' source text, so that what is compiled is known by
// its content, wherever the command was started.
//
//go:embed bounded/*.go probe/*.go
var sources embed.FS

// A program is a helper's source: files by name.
type program struct {
	name  string
	files map[string][]byte
}

func newProgram(name string) (program, error) {
	entries, err := fs.ReadDir(sources, name)
	if err != nil {
		return program{}, fmt.Errorf("reading the source of %q: %w", name, err)
	}
	p := program{name: name, files: map[string][]byte{}}
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		if p.files[entry.Name()], err = fs.ReadFile(sources, path.Join(name, entry.Name())); err != nil {
			return program{}, fmt.Errorf("reading the source of %q: %w", name, err)
		}
	}
	p.files["go.mod"] = []byte("module magekind/" + name + "\n\ngo 1.26\n")
	return p, nil
}

// key identifies the program that the source makes for arch: 12 hex digits.
func (p program) key(arch string) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s\n", runtime.Version(), arch)
	for _, name := range sortedKeys(p.files) {
		fmt.Fprintf(sum, "%s %d\n%s", name, len(p.files[name]), p.files[name])
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}

// compile returns the path of the static Linux program in dir, making it when it is not there.
func (p program) compile(ctx context.Context, dir, arch string) (string, error) {
	target := filepath.Join(dir, p.name+"-"+p.key(arch))
	if _, err := os.Stat(target); err == nil {
		return target, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("compiling %q: %w", p.name, err)
	}
	work, err := os.MkdirTemp(dir, p.name+"-build-*")
	if err != nil {
		return "", fmt.Errorf("compiling %q: %w", p.name, err)
	}
	defer os.RemoveAll(work)
	for name, text := range p.files {
		if err := os.WriteFile(filepath.Join(work, name), text, 0o600); err != nil {
			return "", fmt.Errorf("compiling %q: %w", p.name, err)
		}
	}
	made := filepath.Join(work, p.name)
	build := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-o", made, ".")
	build.Dir = work
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch, "GOWORK=off", "GOFLAGS=")
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compiling %q: %w\n%s", p.name, err, output)
	}
	if err := os.Rename(made, target); err != nil {
		return "", fmt.Errorf("compiling %q: %w", p.name, err)
	}
	return target, nil
}
