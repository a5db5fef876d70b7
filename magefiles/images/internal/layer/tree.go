// Package layer makes the layers of images: trees of files that are put together
// from many places and written as tar, in the same bytes for the same content.
package layer

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Tree is the content of a layer. Its paths are those in the image, without a
// leading slash. A path that is added again replaces what was there. Parents
// are added with mode 0755 unless they were added by themselves. Everything
// belongs to root and has the time zero.
type Tree struct {
	entries map[string]entry
}

type entry struct {
	mode fs.FileMode // with the type
	size int64
	open func() (io.ReadCloser, error)
	link string
}

// New returns an empty tree.
func New() *Tree { return &Tree{entries: map[string]entry{}} }

// Dir adds a folder, with the sticky bit when mode has it.
func (t *Tree) Dir(name string, mode fs.FileMode) {
	t.add(name, entry{mode: fs.ModeDir | mode})
}

// Link adds a symbolic link to target.
func (t *Tree) Link(name, target string) {
	t.add(name, entry{mode: fs.ModeSymlink | 0o777, link: target})
}

// Bytes adds a file with the given content.
func (t *Tree) Bytes(name string, mode fs.FileMode, content []byte) {
	t.Open(name, mode, int64(len(content)), func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	})
}

// Open adds a file of size bytes that are read when the layer is written.
func (t *Tree) Open(name string, mode fs.FileMode, size int64, open func() (io.ReadCloser, error)) {
	t.add(name, entry{mode: mode, size: size, open: open})
}

// File adds the file source of this machine.
func (t *Tree) File(name string, mode fs.FileMode, source string) error {
	info, err := os.Stat(source)
	if err != nil {
		return fmt.Errorf("add %q to a layer: %w", name, err)
	}
	t.Open(name, mode, info.Size(), func() (io.ReadCloser, error) { return os.Open(source) })
	return nil
}

// Copy adds the files and symbolic links below the folder source of this machine
// below the folder name. mode gives each file's permissions by its path in the image.
func (t *Tree) Copy(name, source string, mode func(name string) fs.FileMode) error {
	return filepath.WalkDir(source, func(file string, found fs.DirEntry, err error) error {
		if err != nil || found.IsDir() {
			return err
		}
		relative, err := filepath.Rel(source, file)
		if err != nil {
			return err
		}
		target := path.Join(name, filepath.ToSlash(relative))
		if found.Type()&fs.ModeSymlink == 0 {
			return t.File(target, mode(target), file)
		}
		link, err := os.Readlink(file)
		if err != nil {
			return err
		}
		t.Link(target, link)
		return nil
	})
}

func (t *Tree) add(name string, e entry) {
	t.entries[clean(name)] = e
}

func clean(name string) string { return strings.TrimPrefix(path.Clean("/"+name), "/") }
