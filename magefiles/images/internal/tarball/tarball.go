// Package tarball reads single files out of a tar file that holds a root file
// system, following its symbolic links.
package tarball

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// maxLinks is how many symbolic links a path may lead through, as in Linux.
const maxLinks = 40

// Tarball is an open tar file.
type Tarball struct {
	file    *os.File
	entries map[string]entry // by clean path without a leading slash
}

type entry struct {
	kind   byte
	link   string
	mode   fs.FileMode
	offset int64
	size   int64
}

// Open opens the tar file name, which must not be compressed.
func Open(name string) (*Tarball, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	t := &Tarball{file: file, entries: map[string]entry{}}
	if err := t.index(); err != nil {
		return nil, errors.Join(fmt.Errorf("read %q: %w", name, err), file.Close())
	}
	return t, nil
}

// Close closes the tar file.
func (t *Tarball) Close() error { return t.file.Close() }

// index notes where each file begins: tar.Reader reads no further than that.
func (t *Tarball) index() error {
	reader := tar.NewReader(t.file)
	for {
		header, err := reader.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		offset, err := t.file.Seek(0, io.SeekCurrent)
		if err != nil {
			return err
		}
		e := entry{
			kind: header.Typeflag, link: header.Linkname,
			mode: header.FileInfo().Mode().Perm(), offset: offset, size: header.Size,
		}
		if header.Typeflag == tar.TypeLink {
			e = t.entries[clean(header.Linkname)] // comes after what it is a link to
		}
		t.entries[clean(header.Name)] = e
	}
}

// File is a regular file in a tar file, or a link to one.
type File struct {
	Path string // as asked for, but in a folder without symbolic links, and without a leading slash
	Mode fs.FileMode
	*io.SectionReader
}

// File finds a regular file.
func (t *Tarball) File(name string) (File, error) {
	resolved, err := t.resolve(name)
	if err != nil {
		return File{}, err
	}
	e, there := t.entries[resolved]
	if !there || e.kind != tar.TypeReg {
		return File{}, fmt.Errorf("find %q in %q: %w", name, t.file.Name(), fs.ErrNotExist)
	}
	folder, err := t.resolve(path.Dir(clean(name)))
	if err != nil {
		return File{}, err
	}
	return File{Path: path.Join(folder, path.Base(name)), Mode: e.mode, SectionReader: io.NewSectionReader(t.file, e.offset, e.size)}, nil
}

// Glob returns the sorted paths that match a pattern of package path, not
// following symbolic links.
func (t *Tarball) Glob(pattern string) ([]string, error) {
	var found []string
	for name := range t.entries {
		match, err := path.Match(pattern, name)
		if err != nil {
			return nil, err
		}
		if match {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found, nil
}

// resolve returns the path that is left when all symbolic links are followed.
func (t *Tarball) resolve(name string) (string, error) {
	done, rest := "", clean(name)
	for links := 0; rest != ""; {
		first, after, _ := strings.Cut(rest, "/")
		next := path.Join(done, first)
		e, there := t.entries[next]
		if !there || e.kind != tar.TypeSymlink {
			done, rest = next, after
			continue
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("find %q in %q: too many symbolic links", name, t.file.Name())
		}
		if !path.IsAbs(e.link) {
			e.link = path.Join(done, e.link)
		}
		// From the root again: the target may lead through links of its own.
		done, rest = "", clean(path.Join(e.link, after))
	}
	return done, nil
}

func clean(name string) string { return strings.TrimPrefix(path.Clean("/"+name), "/") }
