package docker

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/docker/docker/api/types/container"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// defaultMode is the mode of a file whose Mode is zero.
const defaultMode = 0o644

// checked returns the files to copy in, in order of their paths, if they make sense.
func checked(spec engine.Spec) ([]engine.File, error) {
	files := slices.Clone(spec.Files)
	for i, f := range files {
		if !strings.HasPrefix(f.Path, "/") || path.Clean(f.Path) != f.Path || f.Path == "/" {
			return nil, fmt.Errorf("file %q: want an absolute, clean path of a file", f.Path)
		}
		if spec.ReadOnly && path.Dir(f.Path) == "/" {
			return nil, fmt.Errorf("file %q: nothing can be put into the root folder of a read-only container", f.Path)
		}
		if f.Mode.Perm() == 0 {
			files[i].Mode = defaultMode
		}
	}
	slices.SortFunc(files, func(a, b engine.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// folders returns the folders that the files are in, sorted.
func folders(files []engine.File) []string {
	var all []string
	for _, f := range files {
		all = append(all, path.Dir(f.Path))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// copyFiles puts files into a created container.
func (e *Engine) copyFiles(ctx context.Context, id string, readOnly bool, files []engine.File) error {
	if !readOnly {
		return e.copyIn(ctx, id, files)
	}
	// only into the volumes, each by itself: what leads there can't be written
	for _, folder := range folders(files) {
		var inside []engine.File
		for _, f := range files {
			if path.Dir(f.Path) == folder {
				f.Path = "/" + path.Base(f.Path)
				inside = append(inside, f)
			}
		}
		if err := e.unpack(ctx, id, folder, nil, inside); err != nil {
			return err
		}
	}
	return nil
}

// copyIn puts files, and the folders that they lack, into a writable container.
func (e *Engine) copyIn(ctx context.Context, id string, files []engine.File) error {
	missing, err := e.missingFolders(ctx, id, files)
	if err != nil {
		return err
	}
	return e.unpack(ctx, id, "/", missing, files)
}

// unpack puts folders and files, whose paths start at root, into a container.
func (e *Engine) unpack(ctx context.Context, id, root string, folders []string, files []engine.File) error {
	archive, err := tarball(folders, files)
	if err != nil {
		return fmt.Errorf("packing the files to copy in: %w", err)
	}
	err = e.tell(ctx, e.limits.work, func(ctx context.Context) error {
		return e.api.CopyToContainer(ctx, id, root, archive, container.CopyToContainerOptions{})
	})
	if err != nil {
		return fmt.Errorf("copying %q in: %w", path.Join(root, files[0].Path), err)
	}
	return nil
}

// missingFolders returns the folders that the files need and the container
// does not have, outermost first. Those that are there must not be in the
// archive: their modes would be changed.
func (e *Engine) missingFolders(ctx context.Context, id string, files []engine.File) ([]string, error) {
	known := map[string]bool{"/": true}
	var missing []string
	for _, f := range files {
		for dir := path.Dir(f.Path); !known[dir]; dir = path.Dir(dir) {
			known[dir] = true
			_, err := ask(ctx, e, e.limits.question, func(ctx context.Context) (container.PathStat, error) {
				return e.api.ContainerStatPath(ctx, id, dir)
			})
			if err == nil {
				break
			}
			if !errors.Is(err, engine.ErrNotFound) {
				return nil, fmt.Errorf("looking for folder %q in the container: %w", dir, err)
			}
			missing = append(missing, dir)
		}
	}
	slices.Sort(missing)
	return missing, nil
}

// tarball makes the archive that the API takes.
func tarball(folders []string, files []engine.File) (*bytes.Buffer, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, dir := range folders {
		header := &tar.Header{Typeflag: tar.TypeDir, Name: strings.TrimPrefix(dir, "/") + "/", Mode: 0o755}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
	}
	for _, f := range files {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: strings.TrimPrefix(f.Path, "/"),
			Mode: int64(f.Mode.Perm()), Size: int64(len(f.Content)),
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Content); err != nil {
			return nil, err
		}
	}
	return &out, w.Close()
}
