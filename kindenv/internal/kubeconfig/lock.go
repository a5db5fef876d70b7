package kubeconfig

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

const (
	// lockBudget is how long to wait for another writer.
	lockBudget = 15 * time.Second
	// lockBurst is how long to wait with growing pauses between two tries.
	lockBurst = 500 * time.Millisecond
	// staleAfter is the age at which a lock of somebody else's is taken for left
	// behind: writers hold it for milliseconds.
	staleAfter = time.Minute
	// publicFolder is the mode of ~/.kube when it has to be made, as kubectl and kind do.
	publicFolder fs.FileMode = 0o755
)

// locked calls do while it holds the locks that kubectl and kind take too: the
// file <path>.lock, created exclusively. Where path is a symbolic link, the
// target's lock is taken as well, for those who know the file by that name.
func locked(ctx context.Context, path string, do func() error) (err error) {
	names, err := lockNames(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), publicFolder); err != nil {
		return err
	}
	for _, name := range names {
		lock, err := take(ctx, name)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, lock.release()) }()
	}
	return do()
}

// lockNames are the locks of a file, in the order in which everyone takes them,
// so that nobody waits for each other.
func lockNames(path string) ([]string, error) {
	target, err := resolve(path)
	if err != nil {
		return nil, err
	}
	names := []string{path + ".lock", target + ".lock"}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// take creates the lock file name, waiting while another writer has it. It tries
// often: several who all wait long between two tries would starve each other.
func take(ctx context.Context, name string) (*lockFile, error) {
	for begin := time.Now(); ; {
		lock, held, err := takeSoon(ctx, name)
		switch {
		case ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded):
			return lock, err
		case time.Since(begin) > lockBudget:
			return nil, fmt.Errorf("gave up after %s: %w", lockBudget, held)
		}
	}
}

// takeSoon is take for a short time; heldBy is why it could not. A lock that a
// magekind left which is dead is removed first.
func takeSoon(ctx context.Context, name string) (lock *lockFile, heldBy, err error) {
	err = retry.Until(ctx, lockBurst, func(context.Context) error {
		info, err := os.Lstat(name)
		if err == nil {
			heldBy = held(name, info)
			return heldBy
		}
		if errors.Is(err, fs.ErrNotExist) {
			lock, err = create(name)
		}
		if errors.Is(err, fs.ErrExist) {
			heldBy = errAlive // somebody was quicker
			return heldBy
		}
		return retry.Stop(err)
	})
	return lock, heldBy, err
}

// held says who has a lock that is there.
func held(name string, info fs.FileInfo) error {
	switch note, err := inspect(name); {
	case note != "" && errors.Is(err, errAlive):
		return fmt.Errorf("locked by %q: %s", name, note)
	case note != "" && err != nil:
		return retry.Stop(fmt.Errorf("remove lock %q, which a killed process left: %w", name, err))
	case note != "":
		return errAlive // it was removed just now, so try again
	}
	age := time.Since(info.ModTime())
	busy := fmt.Errorf("locked by %q, made %s ago; if no kubectl, kind or other tool is writing it now, delete that file and try again",
		name, age.Round(time.Second))
	if age > staleAfter {
		return retry.Stop(busy)
	}
	return busy
}
