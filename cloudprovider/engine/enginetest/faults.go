package enginetest

import (
	"context"
	"fmt"
	"time"
)

// fault is what happens instead of, or before, one call or every call of a method.
type fault struct {
	method string
	n      int // 1-based; 0: every call
	err    error
	hang   bool
	delay  time.Duration
}

// Fail makes the n-th call of a method fail with err, before it does anything.
// The method is named as in the interface: "List", "Create", "Start", "Stop",
// "Kill", "Remove", "Image", "Pull", "NetworkIDs", "Logs", "Pause", "Unpause"
// or "Exec". Calls are counted from 1, from the Fake's making; 0 means every call.
func (f *Fake) Fail(method string, n int, err error) {
	f.inject(fault{method: method, n: n, err: err})
}

// Hang makes the n-th call of a method (see [Fake.Fail]) do nothing until its
// ctx is done, and then return ctx's error.
func (f *Fake) Hang(method string, n int) {
	f.inject(fault{method: method, n: n, hang: true})
}

// Delay makes the n-th call of a method (see [Fake.Fail]) wait for d before it
// does its work, or until its ctx is done.
func (f *Fake) Delay(method string, n int, d time.Duration) {
	f.inject(fault{method: method, n: n, delay: d})
}

func (f *Fake) inject(new fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = append(f.faults, new)
}

// enter records a call and applies the faults that are meant for it.
func (f *Fake) enter(ctx context.Context, method, argument string) error {
	for _, fault := range f.record(method, argument) {
		if err := fault.apply(ctx); err != nil {
			return fmt.Errorf("%s %s: %w", method, argument, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s %s: %w", method, argument, err)
	}
	return nil
}

func (f *Fake) record(method, argument string) []fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts[method]++
	f.calls = append(f.calls, method+" "+f.nameOf(argument))
	var due []fault
	for _, fault := range f.faults {
		if fault.method == method && (fault.n == 0 || fault.n == f.counts[method]) {
			due = append(due, fault)
		}
	}
	return due
}

// nameOf returns the name of the container with this ID, or id itself. f.mu is held.
func (f *Fake) nameOf(id string) string {
	if c := f.containers[id]; c != nil {
		return c.Name
	}
	return id
}

func (x fault) apply(ctx context.Context) error {
	if x.hang {
		<-ctx.Done()
		return ctx.Err()
	}
	if x.delay > 0 {
		timer := time.NewTimer(x.delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return x.err
}
