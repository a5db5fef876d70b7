package tarball

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Programs returns the files at the given paths and the shared libraries and
// dynamic linkers that they load, each once.
func (t *Tarball) Programs(names ...string) ([]File, error) {
	var found []File
	seen := map[string]bool{}
	for len(names) > 0 {
		file, err := t.File(names[0])
		if err != nil {
			return nil, err
		}
		names = names[1:]
		if seen[file.Path] {
			continue
		}
		seen[file.Path] = true
		found = append(found, file)
		needed, err := t.needed(file)
		if err != nil {
			return nil, fmt.Errorf("find what %q loads: %w", file.Path, err)
		}
		names = append(names, needed...)
	}
	return found, nil
}

// needed returns the paths of what an ELF file loads itself. The libraries'
// paths bear the names that the dynamic linker looks for.
func (t *Tarball) needed(file File) ([]string, error) {
	parsed, err := elf.NewFile(file)
	if errors.As(err, new(*elf.FormatError)) || errors.Is(err, io.EOF) {
		return nil, nil // a script
	}
	if err != nil {
		return nil, err
	}
	defer parsed.Close()
	var paths []string
	for _, program := range parsed.Progs {
		if program.Type != elf.PT_INTERP {
			continue
		}
		name, err := io.ReadAll(program.Open())
		if err != nil {
			return nil, err
		}
		paths = append(paths, strings.TrimRight(string(name), "\x00"))
	}
	libraries, err := parsed.ImportedLibraries()
	if err != nil {
		return nil, err
	}
	for _, library := range libraries {
		found, err := t.library(library)
		if err != nil {
			return nil, err
		}
		paths = append(paths, found)
	}
	return paths, nil
}

// library finds a shared library in the folders where Debian has them.
func (t *Tarball) library(name string) (string, error) {
	for _, folder := range []string{"usr/lib/*-linux-gnu", "lib/*-linux-gnu", "usr/lib", "usr/lib64", "lib64"} {
		found, err := t.Glob(path.Join(folder, name))
		if err != nil {
			return "", err
		}
		if len(found) > 0 {
			return found[0], nil
		}
	}
	return "", fmt.Errorf("find library %q: %w", name, fs.ErrNotExist)
}
