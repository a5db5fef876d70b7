package kubeconfig

import (
	"context"
	"errors"
	"fmt"
)

// errNoPath is returned when there is no file to work on.
var errNoPath = errors.New("no kubeconfig file: neither KUBECONFIG nor a home folder is set")

// Merge puts the cluster, user and context of raw, a kubeconfig that kind made,
// into the user's kubeconfig, makes its context the current one as kind does,
// and returns the file that has the entries. Of several paths, entries of the
// same name are replaced in the first file that has one; new ones go into the
// first file that exists, else the last, and so does the current context:
// kubectl's rules. All else in the files stays as it is, comments included.
func Merge(ctx context.Context, paths []string, raw []byte) (string, error) {
	if len(paths) == 0 {
		return "", errNoPath
	}
	ours, err := parse(raw)
	if err != nil {
		return "", fmt.Errorf("parse kubeconfig to merge: %w", err)
	}
	name := ours.currentContext()
	if name == "" {
		return "", errors.New("kubeconfig to merge has no current-context")
	}
	chosen := defaultFile(paths)
	target := chosen
	for _, path := range paths {
		if f, err := read(path); err == nil && f.hasEntry(name) {
			target = path
			break
		}
	}
	if err := update(ctx, target, func(f *file) (bool, error) {
		f.merge(ours)
		if target == chosen {
			f.setCurrentContext(name)
		}
		return true, nil
	}); err != nil {
		return "", fmt.Errorf("merge context %q into kubeconfig %q: %w", name, target, err)
	}
	if target == chosen {
		return target, nil
	}
	if err := update(ctx, chosen, func(f *file) (bool, error) {
		return f.setCurrentContext(name), nil
	}); err != nil {
		return "", fmt.Errorf("set current-context to %q in kubeconfig %q: %w", name, chosen, err)
	}
	return target, nil
}

// Remove takes the entries named name out of every file of paths, and clears
// the current context where it is name. A file that has nothing of it, or does
// not exist, is not touched. Every file is tried; errors are joined.
func Remove(ctx context.Context, paths []string, name string) error {
	var errs []error
	for _, path := range paths {
		has, err := contains(path, name)
		if err == nil && has {
			err = update(ctx, path, func(f *file) (bool, error) { return f.remove(name), nil })
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("remove context %q from kubeconfig %q: %w", name, path, err))
		}
	}
	return errors.Join(errs...)
}

// contains reports whether the file at path has something to remove of this name.
func contains(path, name string) (bool, error) {
	f, err := read(path)
	if err != nil {
		return false, err
	}
	return f.currentContext() == name || f.hasEntry(name), nil
}

// update changes the file at path under its lock. It writes nothing when
// change reports false or fails.
func update(ctx context.Context, path string, change func(*file) (bool, error)) error {
	return locked(ctx, path, func() error {
		f, err := read(path)
		if err != nil {
			return err
		}
		changed, err := change(f)
		if err != nil || !changed {
			return err
		}
		content, err := f.encode()
		if err != nil {
			return err
		}
		return replace(path, content)
	})
}
