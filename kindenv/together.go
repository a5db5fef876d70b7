package kindenv

import (
	"context"
	"errors"
	"sync"
)

// together runs functions at the same time and waits for all of them. When one
// fails, the others' ctx ends, and what they say about that is left out.
func together(ctx context.Context, functions ...func(context.Context) error) error {
	group, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		all  sync.WaitGroup
		mu   sync.Mutex
		errs []error
	)
	for _, function := range functions {
		all.Go(func() {
			err := function(group)
			if err == nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if len(errs) > 0 && ctx.Err() == nil && (errors.Is(err, errOther) || errors.Is(err, context.Canceled)) {
				return
			}
			errs = append(errs, err)
			cancel(errOther)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// errOther is the cause of the end of a function that together stopped.
var errOther = errors.New("something else that ran at the same time has failed")

// separately runs functions at the same time, none of which stops another, and joins their errors.
func separately(functions ...func() error) error {
	var all sync.WaitGroup
	errs := make([]error, len(functions))
	for i, function := range functions {
		all.Go(func() { errs[i] = function() })
	}
	all.Wait()
	return errors.Join(errs...)
}
