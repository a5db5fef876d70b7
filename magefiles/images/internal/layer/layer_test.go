package layer_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/magefiles/images/internal/layer"
)

func ExampleNew() {
	tree := layer.New()
	tree.Bytes("etc/hostname", 0o644, []byte("node\n"))
	tree.Link("etc/alias", "hostname")
	if err := tree.Write(io.Discard); err != nil {
		fmt.Println(err)
	}
}

// list describes the entries of a tar file, one a line.
func list(t *testing.T, r io.Reader) string {
	t.Helper()
	var lines []string
	for reader := tar.NewReader(r); ; {
		header, err := reader.Next()
		if err == io.EOF {
			return strings.Join(lines, "\n")
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%c %04o %s %s%s", header.Typeflag, header.Mode, header.Name, header.Linkname, content))
		if header.Uid != 0 || header.Gid != 0 || header.ModTime.Unix() != 0 {
			t.Errorf("%s: uid %d, gid %d, time %v, want all zero", header.Name, header.Uid, header.Gid, header.ModTime)
		}
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	tree := layer.New()
	tree.Dir("/tmp", 0o777|fs.ModeSticky)
	tree.Link("usr/bin/sh", "dash")
	tree.Bytes("/usr/bin/dash", 0o755, []byte("old"))
	tree.Bytes("usr/bin/../bin/dash", 0o755, []byte("shell"))
	var out bytes.Buffer
	if err := tree.Write(&out); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"5 1777 tmp/ ", "5 0755 usr/ ", "5 0755 usr/bin/ ", "0 0755 usr/bin/dash shell", "2 0777 usr/bin/sh dash",
	}, "\n")
	if got := list(t, &out); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestCopy(t *testing.T) {
	t.Parallel()
	source := t.TempDir()
	if err := os.MkdirAll(filepath.Join(source, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(source, "bin", "run"), []byte("#!"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("run", filepath.Join(source, "bin", "walk")); err != nil {
		t.Fatal(err)
	}
	tree := layer.New()
	err := tree.Copy("opt", source, func(name string) fs.FileMode {
		if name != "opt/bin/run" {
			t.Errorf("asked for the mode of %q", name)
		}
		return 0o755
	})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := tree.Write(&out); err != nil {
		t.Fatal(err)
	}
	want := "5 0755 opt/ \n5 0755 opt/bin/ \n0 0755 opt/bin/run #!\n2 0777 opt/bin/walk run"
	if got := list(t, &out); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAbsentFiles(t *testing.T) {
	t.Parallel()
	absent := filepath.Join(t.TempDir(), "absent")
	if err := layer.New().File("a", 0o644, absent); err == nil {
		t.Error("File: no error")
	}
	if err := layer.New().Copy("a", absent, nil); err == nil {
		t.Error("Copy: no error")
	}
	if _, err := layer.Read(absent); err == nil {
		t.Error("Read: no error")
	}
}

func TestSaveAndReadAgree(t *testing.T) {
	t.Parallel()
	tree := layer.New()
	tree.Bytes("a", 0o644, []byte("b"))
	saved, err := tree.Save(filepath.Join(t.TempDir(), "layer.tar"))
	if err != nil {
		t.Fatal(err)
	}
	read, err := layer.Read(saved.Path)
	if err != nil || read != saved {
		t.Errorf("read %+v, %v, saved %+v", read, err, saved)
	}
	again, err := tree.Save(filepath.Join(t.TempDir(), "again.tar"))
	if err != nil || again.Digest != saved.Digest {
		t.Errorf("the same tree gives %s and %s, %v", saved.Digest, again.Digest, err)
	}
}
