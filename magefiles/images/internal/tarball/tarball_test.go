package tarball_test

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/magefiles/images/internal/tarball"
)

// pack makes a tar file of the given entries and opens it.
func pack(t *testing.T, headers ...tar.Header) *tarball.Tarball {
	t.Helper()
	path := filepath.Join(t.TempDir(), "root.tar")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	out := tar.NewWriter(file)
	for _, header := range headers {
		content := []byte(header.PAXRecords["content"])
		header.PAXRecords = nil
		header.Size, header.Mode = int64(len(content)), 0o640
		if err := out.WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(out.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	opened, err := tarball.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	return opened
}

func regular(name, content string) tar.Header {
	return tar.Header{Typeflag: tar.TypeReg, Name: name, PAXRecords: map[string]string{"content": content}}
}

func link(name, target string) tar.Header {
	return tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: target}
}

func TestFile(t *testing.T) {
	t.Parallel()
	root := pack(t,
		tar.Header{Typeflag: tar.TypeDir, Name: "./usr/"},
		regular("./usr/lib/libx.so.1.2", "library"),
		regular("./usr/bin/dash", "shell"),
		tar.Header{Typeflag: tar.TypeLink, Name: "./usr/bin/hard", Linkname: "./usr/bin/dash"},
		link("./lib", "usr/lib"), link("./bin", "/usr/bin"),
		link("./usr/lib/libx.so.1", "libx.so.1.2"), link("./usr/bin/sh", "../../bin/dash"),
		link("./usr/bin/absolute", "/lib/libx.so.1"),
		link("./loop", "loop"), link("./dangling", "nowhere"),
	)
	for _, c := range []struct{ name, content, path string }{
		{"usr/bin/dash", "shell", "usr/bin/dash"},
		{"/bin/sh", "shell", "usr/bin/sh"},
		{"bin/hard", "shell", "usr/bin/hard"},
		{"lib/libx.so.1", "library", "usr/lib/libx.so.1"},
		{"bin/absolute", "library", "usr/bin/absolute"},
		{"lib", "", ""},
		{"usr", "", ""},
		{"dangling", "", ""},
		{"absent", "", ""},
		{"loop", "", ""},
	} {
		file, err := root.File(c.name)
		if c.path == "" {
			if err == nil || c.name != "loop" && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: got %+v, %v, want an error", c.name, file, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		content, err := io.ReadAll(file)
		if err != nil || string(content) != c.content || file.Path != c.path || file.Mode != 0o640 {
			t.Errorf("%s: got %q at %q, mode %v, %v", c.name, content, file.Path, file.Mode, err)
		}
	}
}

func TestGlob(t *testing.T) {
	t.Parallel()
	root := pack(t, regular("a/2.so", ""), regular("a/1.so", ""), regular("a/b/3.so", ""))
	got, err := root.Glob("a/*.so")
	if want := "a/1.so a/2.so"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// TestPrograms finds what a program of this machine loads, as ldd sees it.
func TestPrograms(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("ldd", "/bin/ls").Output()
	if err != nil {
		t.Skipf("ldd: %v", err)
	}
	headers := []tar.Header{regular("bin/script", "#!/bin/ls")}
	var want []string
	add := func(path string) {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		headers = append(headers, regular(path[1:], string(content)))
		want = append(want, path[1:])
	}
	add("/bin/ls")
	for word := range strings.FieldsSeq(string(out)) {
		if !strings.HasPrefix(word, "/") {
			continue
		}
		add(word)
		if name, ok := strings.CutPrefix(word, "/lib64/"); ok {
			// The dynamic linker is a library too, in another folder than the one
			// that programs name.
			name = "lib/any-linux-gnu/" + name
			headers, want = append(headers, regular(name, "")), append(want, name)
		}
	}
	root := pack(t, headers...)
	files, err := root.Programs("bin/ls", "bin/script", "bin/ls")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, file := range files {
		found[file.Path]++
	}
	for _, path := range append(want, "bin/script") {
		if found[path] != 1 {
			t.Errorf("%s is there %d times, want once", path, found[path])
		}
	}
	if len(files) != len(want)+1 {
		t.Errorf("got %d files, want %d", len(files), len(want)+1)
	}
	if _, err := pack(t, headers[1]).Programs("bin/ls"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without its libraries: got %v, want %v", err, fs.ErrNotExist)
	}
}
