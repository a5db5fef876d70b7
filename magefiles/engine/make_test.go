package engine

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestObstacle(t *testing.T) {
	t.Parallel()
	why := errors.New("unable to apply caps")
	for name, c := range map[string]struct {
		goos  string
		uid   int
		found candidate
		want  []string
	}{
		"root on Linux":  {goos: "linux"},
		"another system": {goos: "darwin", uid: 501, found: candidate{reason: why}, want: []string{"no container engine answers", "only on Linux"}},
		"another user":   {goos: "linux", uid: 1000, found: candidate{reason: why}, want: []string{"no container engine answers", "only as root"}},
		"another user with an engine": {
			goos: "linux", uid: 1000, found: candidate{host: "unix:///x", reason: why}, want: []string{"unix:///x", "can't run kind nodes", "only as root"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := obstacle(c.goos, c.uid, c.found)
			if (err != nil) != (c.want != nil) {
				t.Fatalf("got %v", err)
			}
			if err != nil && !errors.Is(err, why) {
				t.Errorf("%v does not wrap the reason", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v does not say %q", err, want)
				}
			}
		})
	}
}

func TestRefusal(t *testing.T) {
	t.Parallel()
	cause := errors.New("exit status 125")
	if err := refusal(t.Context(), cause); !errors.Is(err, errCannotRun) || !errors.Is(err, cause) {
		t.Errorf("got %v, want the class and the cause", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := refusal(ctx, cause); errors.Is(err, errCannotRun) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was cancelled", err)
	}
}

func TestProbeArchive(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "probe-0123")
	write(t, path, "a program")
	archive, err := probeArchive(path)
	if err != nil {
		t.Fatal(err)
	}
	reader := tar.NewReader(archive)
	header, err := reader.Next()
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(reader)
	if err != nil || header.Name != "probe" || header.FileInfo().Mode() != 0o755 || string(content) != "a program" {
		t.Errorf("got %q with mode %v: %q, %v", header.Name, header.FileInfo().Mode(), content, err)
	}
	if _, err := reader.Next(); err != io.EOF {
		t.Errorf("got %v, want one file", err)
	}
}

func TestProgramKey(t *testing.T) {
	t.Parallel()
	program, err := newProgram("bounded")
	if err != nil {
		t.Fatal(err)
	}
	for name := range program.files {
		if strings.HasSuffix(name, "_test.go") {
			t.Errorf("%s is in the program", name)
		}
	}
	first := program.key("amd64")
	if again, err := newProgram("bounded"); err != nil || again.key("amd64") != first {
		t.Errorf("the same source has another key: %v", err)
	}
	if program.key("arm64") == first {
		t.Error("another architecture has the same key")
	}
	program.files["main.go"] = append(program.files["main.go"], '\n')
	if program.key("amd64") == first {
		t.Error("another source has the same key")
	}
}

func TestCompile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := program{name: "hello", files: map[string][]byte{
		"go.mod":  []byte("module hello\n\ngo 1.26\n"),
		"main.go": []byte("package main\n\nfunc main() { println(\"hello\") }\n"),
	}}
	path, err := p.compile(t.Context(), dir, "amd64")
	if err != nil {
		t.Fatal(err)
	}
	made, err := os.Stat(path)
	if err != nil || made.Mode()&0o100 == 0 {
		t.Fatalf("no program was made: %v", err)
	}
	if again, err := p.compile(t.Context(), dir, "amd64"); err != nil || again != path {
		t.Errorf("got %q, %v, want %q", again, err, path)
	}
	if info, err := os.Stat(path); err != nil || !os.SameFile(info, made) {
		t.Errorf("it was made again: %v", err)
	}
	p.files["main.go"] = []byte("package main\n\nfunc main() { nonsense }\n")
	if _, err := p.compile(t.Context(), dir, "amd64"); err == nil || !strings.Contains(err.Error(), "undefined: nonsense") {
		t.Errorf("got %v, want the compiler's words", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestLookPath(t *testing.T) {
	t.Parallel()
	if path, err := lookPath("go"); err != nil || filepath.Base(path) != "go" {
		t.Errorf("got %q, %v", path, err)
	}
	if path, err := lookPath("no-such-program-here"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %q, %v, want %v", path, err, fs.ErrNotExist)
	}
}
