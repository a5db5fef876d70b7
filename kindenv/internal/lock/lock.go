// Package lock makes sure that one process at a time works on a cluster, and
// tells those who wait whom they wait for.
package lock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// Lock is a lock that this process holds. The operating system releases it when
// the process ends, however it ends.
type Lock struct {
	file   *flock.Flock
	holder string // path of the file that says who holds the lock
}

// patience is how long a new holder may take to say who it is.
const patience = time.Second

// errBusy is the reason for another try.
var errBusy = errors.New("held by another process")

// Acquire takes the lock at path, a file that it makes if need be, along with
// its folder, and that it leaves there. While another process holds the lock,
// or another Lock of this one, it waits until ctx is done. waiting, if not nil,
// is then called with who holds it (process ID, command and start), and again
// whenever that changes.
func Acquire(ctx context.Context, path string, waiting func(holder string)) (*Lock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of lock %q: %w", path, err)
	}
	l := &Lock{file: flock.New(path), holder: path + ".holder"}
	told, begin := "", time.Now()
	err := retry.Until(ctx, 0, func(context.Context) error {
		switch ok, err := l.file.TryLock(); {
		case err != nil:
			return retry.Stop(err)
		case ok:
			return nil
		}
		who := readHolder(l.holder)
		// a holder that has just begun, or is about to end, says nothing yet or any more
		between := who == unknown && (told != "" || time.Since(begin) < patience)
		if who != told && waiting != nil && !between {
			waiting(who)
			told = who
		}
		return fmt.Errorf("%w: %s", errBusy, who)
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock %q: %w", path, err), l.file.Close())
	}
	_ = writeHolder(l.holder) // the lock holds without it, also on a full disk
	return l, nil
}

// Release gives the lock up. Only the first call does anything.
func (l *Lock) Release() error {
	if !l.file.Locked() {
		return nil
	}
	// while the lock is still held, so that it is never the next holder's that goes
	_ = os.Remove(l.holder)
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("release lock %q: %w", l.file.Path(), err)
	}
	return nil
}
