package lock

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// waiter decides after each try whether to try again, and tells whom it waits for.
type waiter struct {
	holder holder
	tell   func(holder string) // may be nil
	began  time.Time
	told   string
	misses int // tries in a row for which the folder was missing
}

// maxMisses is how often in a row the lock's folder may vanish while a lock is
// made in it, because somebody else has released the last one: a few times by chance.
const maxMisses = 20

func (w *waiter) judge(err error) error {
	if errors.Is(err, fs.ErrNotExist) && w.misses < maxMisses {
		w.misses++
		return err
	}
	w.misses = 0
	switch {
	case errors.Is(err, errBusy):
		who := w.holder.read()
		w.notice(who)
		return fmt.Errorf("%w: %s", err, who)
	case errors.Is(err, errGone):
		return err
	}
	return retry.Stop(err)
}

func (w *waiter) notice(who string) {
	// a holder that has just begun, or is about to end, says nothing yet or any more
	between := who == unknown && (w.told != "" || time.Since(w.began) < patience)
	if who == w.told || between || w.tell == nil {
		return
	}
	w.tell(who)
	w.told = who
}
