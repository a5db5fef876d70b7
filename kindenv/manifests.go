package kindenv

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// Apply gives files, folders of them, or URLs to `kubectl apply` in the
// cluster, in this order. Relative paths start from the project's folder.
func (e *Environment) Apply(ctx context.Context, paths ...string) error {
	return redact.Error(e.exclusively(ctx, func(ctx context.Context, s *session) error { return s.applyAll(ctx, paths) }))
}

// checkManifests finds a manifest that is missing before a cluster is made for it.
func (e *Environment) checkManifests() error {
	for i, path := range e.cfg.Manifests {
		if isURL(path) {
			continue
		}
		if _, err := os.Stat(within(e.cfg.Dir, path)); err != nil {
			return invalid(fmt.Sprintf("Manifests[%d]", i), "%w; give a file, a folder or a URL, relative to %q", err, e.cfg.Dir)
		}
	}
	return nil
}

func isURL(path string) bool {
	return strings.HasPrefix(path, "https://") || strings.HasPrefix(path, "http://")
}

// manifest is something to apply: a text, or a URL.
type manifest struct{ path, text string }

// applyAll applies the manifests, unless the cluster has all of it: then it
// says nothing, and takes no time.
func (s *session) applyAll(ctx context.Context, paths []string) error {
	manifests, err := s.readManifests(paths)
	if err != nil || s.applied(ctx, manifests) {
		return err
	}
	return s.step(ctx, "Applying manifests 📜", func(ctx context.Context, step *progress.Step) error {
		for _, m := range manifests {
			step.Detail(m.path)
			if err := s.apply(ctx, m); err != nil {
				return fmt.Errorf("apply manifest %q: %w", m.path, err)
			}
		}
		return nil
	})
}

func (s *session) apply(ctx context.Context, m manifest) error {
	var err error
	if isURL(m.path) {
		_, err = s.kubectl(ctx, nil, "apply", "-f", m.path)
	} else {
		_, err = s.kubectl(ctx, strings.NewReader(m.text), "apply", "-f", "-")
	}
	return err
}

func (s *session) readManifests(paths []string) ([]manifest, error) {
	manifests := make([]manifest, len(paths))
	for i, path := range paths {
		manifests[i].path = path
		if isURL(path) {
			continue
		}
		text, err := readManifest(within(s.cfg.Dir, path))
		if err != nil {
			return nil, fmt.Errorf("read manifest %q: %w", path, err)
		}
		manifests[i].text = text
	}
	return manifests, nil
}

// readManifest reads a file, or those directly in a folder, by name, as kubectl does.
func readManifest(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	files := []string{path}
	if info.IsDir() {
		if files, err = manifestsIn(path); err != nil {
			return "", err
		}
	}
	var all strings.Builder
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		all.WriteString("---\n" + strings.TrimSuffix(string(raw), "\n") + "\n")
	}
	return all.String(), nil
}

func manifestsIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder) // sorted by name
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(entry fs.DirEntry) bool {
		return entry.IsDir() || !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(entry.Name()))
	})
	if len(entries) == 0 {
		return nil, errors.New("there is no .yaml, .yml or .json file in this folder")
	}
	files := make([]string, len(entries))
	for i, entry := range entries {
		files[i] = filepath.Join(folder, entry.Name())
	}
	return files, nil
}
