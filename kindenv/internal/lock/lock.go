// Package lock makes sure that one process at a time works on something, such
// as a cluster, and tells those who wait whom they wait for.
//
// A lock is a file that its holder has locked (flock), so it ends with the
// process, however that ends. Whoever gives it up removes the file while still
// holding it, and whoever takes it checks that what it has locked is still the
// file of that name, and otherwise tries anew: thus the file of a lock that is
// held is never removed by another, and nothing is left of one that is not.
package lock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// Lock is a lock that this process holds. The operating system releases it when
// the process ends, however it ends.
type Lock struct {
	file   *flock.Flock
	holder holder
}

// patience is how long a new holder may take to say who it is.
const patience = time.Second

// Acquire takes the lock at path, a file that it makes, along with its folder.
// While another process holds the lock, or another Lock of this one, it waits
// until ctx is done. waiting, if not nil, is then called with who holds it
// (process ID, command and start), and again whenever that changes. What a
// process that has died left of the lock is no obstacle.
//
// Locks on a file system without flock fail with an error that says so; between
// machines they hold as far as the file system carries flock over.
func Acquire(ctx context.Context, path string, waiting func(holder string)) (*Lock, error) {
	l := &Lock{file: flock.New(path), holder: holder{path: path + ".holder"}}
	w := waiter{holder: l.holder, tell: waiting, began: time.Now()}
	err := retry.Until(ctx, 0, func(context.Context) error { return w.judge(l.take()) })
	if err != nil {
		return nil, explain(path, err)
	}
	_ = l.holder.announce() // the lock holds without it, also on a full disk
	return l, nil
}

// The reasons for another try.
var (
	errBusy = errors.New("held by another process")
	errGone = errors.New("removed by its last holder")
)

// take tries once.
func (l *Lock) take() error {
	if err := os.MkdirAll(filepath.Dir(l.file.Path()), 0o700); err != nil {
		return fmt.Errorf("make its folder: %w", err)
	}
	switch ok, err := l.file.TryLock(); {
	case err != nil:
		return err
	case !ok:
		return errBusy
	case !l.inPlace():
		return errors.Join(errGone, l.file.Close())
	}
	return nil
}

// inPlace says whether the file that is locked is still the one of that name.
func (l *Lock) inPlace() bool {
	locked, err := l.file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(l.file.Path())
	return err == nil && os.SameFile(locked, named)
}

// Release gives the lock up and removes its files, and their folder if nothing
// else is in it. Only the first call does anything.
func (l *Lock) Release() error {
	if !l.file.Locked() {
		return nil
	}
	// all of it while the lock is still held, so that it is never the next holder's that goes
	err := l.clear()
	err = errors.Join(err, l.holder.end(), l.file.Close())
	if runtime.GOOS == "windows" {
		// no open file can be removed there: not this one before, nor the next holder's now
		_ = l.remove()
	}
	if err != nil {
		return fmt.Errorf("release lock %q: %w", l.file.Path(), err)
	}
	return nil
}

// clear removes the files, unless somebody else has, who may have made others since.
func (l *Lock) clear() error {
	if !l.inPlace() {
		return nil
	}
	err := l.holder.withdraw()
	if runtime.GOOS == "windows" {
		return nil // somebody may be reading it, and the next holder replaces it
	}
	return errors.Join(err, l.remove())
}

func (l *Lock) remove() error {
	err := gone(l.file.Path())
	_ = os.Remove(filepath.Dir(l.file.Path())) // refused while there is something in it
	return err
}
