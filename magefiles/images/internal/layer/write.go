package layer

import (
	"archive/tar"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"time"
)

// Write writes the tree as tar.
func (t *Tree) Write(w io.Writer) error {
	all := t.withParents()
	out := tar.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if err := write(out, name, all[name]); err != nil {
			return fmt.Errorf("write %q to a layer: %w", name, err)
		}
	}
	return out.Close()
}

// withParents returns the entries and the folders that they are in.
func (t *Tree) withParents() map[string]entry {
	all := maps.Clone(t.entries)
	for name := range t.entries {
		for parent := path.Dir(name); parent != "."; parent = path.Dir(parent) {
			if _, there := all[parent]; !there {
				all[parent] = entry{mode: fs.ModeDir | 0o755}
			}
		}
	}
	return all
}

func write(out *tar.Writer, name string, e entry) error {
	header := &tar.Header{Name: name, Mode: int64(e.mode.Perm()), Size: e.size, Linkname: e.link, ModTime: time.Unix(0, 0)}
	switch e.mode.Type() {
	case fs.ModeDir:
		header.Typeflag, header.Name = tar.TypeDir, name+"/"
		if e.mode&fs.ModeSticky != 0 {
			header.Mode |= 0o1000
		}
	case fs.ModeSymlink:
		header.Typeflag = tar.TypeSymlink
	default:
		header.Typeflag = tar.TypeReg
	}
	if err := out.WriteHeader(header); err != nil {
		return err
	}
	if e.open == nil {
		return nil
	}
	content, err := e.open()
	if err != nil {
		return err
	}
	defer content.Close()
	_, err = io.Copy(out, content)
	return err
}
