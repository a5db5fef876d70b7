package kubeconfig

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Unknown is the error about a file that can't be read: it may have an entry or not.
type Unknown struct{ err error }

func (u *Unknown) Error() string { return u.err.Error() }

// Unwrap returns the reason.
func (u *Unknown) Unwrap() error { return u.err }

// Remove takes the entries named name out of the file at path, and clears the
// current context where it is name. A file that has nothing of it, or does not
// exist, is not touched, and neither is one whose entry has a server of spare.
// It also removes what a magekind left there that was killed as it wrote.
//
// The error says what to remove by hand. It wraps [Unknown] when there may be
// nothing to remove.
func Remove(ctx context.Context, path, name string, spare ...string) error {
	tidy(ctx, path)
	there, err := concerns(ctx, path, name)
	if err == nil && there {
		err = update(ctx, path, name, func(f *file) (bool, error) {
			if server := f.server(name); server != "" && slices.Contains(spare, server) {
				return false, nil
			}
			return f.remove(name), nil
		})
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("remove context %q from kubeconfig %q: %w\n\tto do it by hand: delete the entries named %q under clusters, contexts and users, and current-context if it is %q",
		name, path, err, name, name)
}

// concerns reports whether the file at path has something to remove of this name.
func concerns(ctx context.Context, path, name string) (bool, error) {
	raw, err := observe(ctx, path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNotRegular):
		return false, nil // nothing was ever written there
	case errors.Is(err, errMoving):
		return true, nil // what was read may be half of it: the lock has to tell
	case err != nil:
		return false, &Unknown{err}
	}
	f, err := parse(raw)
	if err != nil {
		if !mentions(raw, name) {
			return false, nil // whatever it is, it is not ours
		}
		return false, err
	}
	return f.currentContext() == name || f.hasEntry(name), nil
}
