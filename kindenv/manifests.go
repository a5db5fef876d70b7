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

	"github.com/magekind/magekind/kindenv/internal/progress"
)

// Apply gives files, folders of them, or URLs to `kubectl apply` in the
// cluster, in this order. Relative paths start from the project's folder.
func (e *Environment) Apply(ctx context.Context, paths ...string) error {
	return e.exclusively(ctx, func(ctx context.Context, s *session) error { return s.applyAll(ctx, paths) })
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

func (s *session) applyAll(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	return s.step(ctx, "Applying manifests 📜", func(ctx context.Context, step *progress.Step) error {
		for _, path := range paths {
			step.Detail(path)
			if err := s.apply(ctx, path); err != nil {
				return fmt.Errorf("apply manifest %q: %w", path, err)
			}
		}
		return nil
	})
}

func (s *session) apply(ctx context.Context, path string) error {
	if isURL(path) {
		_, err := s.kubectl(ctx, nil, "apply", "-f", path)
		return err
	}
	content, err := readManifests(within(s.cfg.Dir, path))
	if err != nil {
		return err
	}
	_, err = s.kubectl(ctx, strings.NewReader(content), "apply", "-f", "-")
	return err
}

// readManifests reads a file, or the manifests directly in a folder, by name,
// as kubectl does.
func readManifests(path string) (string, error) {
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
