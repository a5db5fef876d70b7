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
func checked(files []engine.File) ([]engine.File, error) {
	files = slices.Clone(files)
	for i, f := range files {
		if !strings.HasPrefix(f.Path, "/") || path.Clean(f.Path) != f.Path || f.Path == "/" {
			return nil, fmt.Errorf("file %q: want an absolute, clean path of a file", f.Path)
		}
		if f.Mode.Perm() == 0 {
			files[i].Mode = defaultMode
		}
	}
	slices.SortFunc(files, func(a, b engine.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// copyIn puts files into a created container.
func (e *Engine) copyIn(ctx context.Context, id string, files []engine.File) error {
	missing, err := e.missingFolders(ctx, id, files)
	if err != nil {
		return err
	}
	archive, err := tarball(missing, files)
	if err != nil {
		return fmt.Errorf("packing the files to copy in: %w", err)
	}
	if err := e.api.CopyToContainer(ctx, id, "/", archive, container.CopyToContainerOptions{}); err != nil {
		return fmt.Errorf("copying %q in: %w", files[0].Path, translate(err))
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
			_, err := e.api.ContainerStatPath(ctx, id, dir)
			if err == nil {
				break
			}
			if err = translate(err); !errors.Is(err, engine.ErrNotFound) {
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
