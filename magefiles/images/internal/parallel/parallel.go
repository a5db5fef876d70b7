// Package parallel runs tasks side by side.
package parallel

import (
	"context"
	"errors"
	"sync"
)

// Run runs the tasks at the same time and returns when all have ended. The first
// that fails ends the context of the others; its error comes first in the result.
func Run(ctx context.Context, tasks ...func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var mu sync.Mutex
	var failures []error
	var running sync.WaitGroup
	for _, task := range tasks {
		running.Go(func() {
			err := task(ctx)
			if err == nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			// What the others say about a cancelled context is a consequence.
			if len(failures) == 0 || !errors.Is(err, context.Canceled) && ctx.Err() == nil {
				failures = append(failures, err)
			}
			cancel()
		})
	}
	running.Wait()
	return errors.Join(failures...)
}
