package kubeconfig

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// errNoPath is returned when there is no file to work on.
var errNoPath = errors.New("no kubeconfig file: neither KUBECONFIG nor a home folder is set")

// Taken is the error about an entry of the same name that is another cluster's.
type Taken struct {
	Name   string
	Server string // of the other one
}

func (t *Taken) Error() string {
	return fmt.Sprintf("context %q is that of another cluster, at %s", t.Name, t.Server)
}

// Merge puts the cluster, user and context of raw, a kubeconfig that kind made,
// into the user's kubeconfig, makes its context the current one as kind does,
// and returns the file that has the entries. Of several paths, entries of the
// same name are replaced in the first file that has one; new ones go into the
// first file that exists, else the last, and so does the current context:
// kubectl's rules. All else in the files stays as it is, comments included.
//
// An entry of that name with another server than raw's and those of replaceable
// is not touched: the error is [Taken]. When only the current context can't be
// set, the file is returned beside the error.
func Merge(ctx context.Context, paths []string, raw []byte, replaceable ...string) (string, error) {
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
	if path, found := holder(ctx, paths, name); found {
		target = path
	}
	if err := update(ctx, target, name, func(f *file) (bool, error) {
		if other := f.server(name); other != "" && other != ours.server(name) && !slices.Contains(replaceable, other) {
			return false, &Taken{Name: name, Server: other}
		}
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
	if err := update(ctx, chosen, name, func(f *file) (bool, error) {
		return f.setCurrentContext(name), nil
	}); err != nil {
		return target, fmt.Errorf("set current-context to %q in kubeconfig %q: %w", name, chosen, err)
	}
	return target, nil
}

// holder finds the first file that has an entry called name.
func holder(ctx context.Context, paths []string, name string) (string, bool) {
	for _, path := range paths {
		raw, err := settled(ctx, path)
		if err != nil {
			continue
		}
		if f, err := parse(raw); err == nil && f.hasEntry(name) {
			return path, true
		}
	}
	return "", false
}
