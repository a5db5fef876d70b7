package enginetest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Faults is what goes wrong at which call, and the calls so far. [Faults.Around]
// puts it around any engine; [Faults.Call] counts calls of something else along.
//
// A fault is for the n-th call of a method, counted from 1; 0 means every call.
// The method is named as in the interfaces of package engine, such as "List" or
// "Exec"; empty stands for all methods, counted together. Several faults of one
// call happen in the order in which they were set. It is safe for concurrent use.
type Faults struct {
	known []string // methods

	mu     sync.Mutex
	due    []fault
	counts map[string]int // calls by method; by "" all
	calls  []string
	names  map[string]string // of containers, by ID
}

// fault is what happens at one call, or at every call, of a method.
type fault struct {
	method  string
	n       int
	further bool // and at all that follow
	before  func(ctx context.Context) error
	after   error // the reply, once the work is done
}

// NewFaults returns one that lets every call through. Besides the engine's
// methods it knows more, which are the names of calls of something else.
func NewFaults(more ...string) *Faults {
	return &Faults{known: append(methods(), more...), counts: map[string]int{}, names: map[string]string{}}
}

// Fail makes a call fail with err, before it does anything.
func (f *Faults) Fail(method string, n int, err error) {
	f.set(fault{method: method, n: n, before: func(context.Context) error { return err }})
}

// FailFrom makes a call, and all of the method that follow, fail with err, as
// when the engine goes away, or this process is killed, at that moment.
func (f *Faults) FailFrom(method string, n int, err error) {
	f.set(fault{method: method, n: n, further: true, before: func(context.Context) error { return err }})
}

// Lose makes a call do its work and then return err in place of its reply.
func (f *Faults) Lose(method string, n int, err error) {
	f.set(fault{method: method, n: n, after: err})
}

// Delay makes a call wait for d, or until its ctx is done, before it does its work.
func (f *Faults) Delay(method string, n int, d time.Duration) {
	f.set(fault{method: method, n: n, before: func(ctx context.Context) error {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}})
}

// Hang makes a call do nothing until its ctx is done, and return ctx's error.
func (f *Faults) Hang(method string, n int) {
	f.set(fault{method: method, n: n, before: func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}})
}

// Do makes a call run do before its work. Where do cancels the caller's
// context, as Ctrl-C does, the call finds it cancelled.
func (f *Faults) Do(method string, n int, do func()) {
	f.set(fault{method: method, n: n, before: func(context.Context) error {
		do()
		return nil
	}})
}

// set panics on a method that nobody has: a fault that never comes makes a test
// that can't fail.
func (f *Faults) set(due fault) {
	if due.method != "" && !slices.Contains(f.known, due.method) {
		panic(fmt.Sprintf("no method %q to set a fault for, only %q", due.method, f.known))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.due = append(f.due, due)
}

// Calls returns the calls so far, in order: the method's name and its main
// argument, which is a container's name where it is known, a reference, a
// network's name, the sorted labels of a List, or the name and the command of an Exec.
func (f *Faults) Calls() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

// Call records a call of method and runs work, with what is to go wrong.
// argument tells calls of the same method apart, for people.
func (f *Faults) Call(ctx context.Context, method, argument string, work func() error) error {
	due := f.record(method, argument)
	for _, fault := range due {
		if fault.before == nil {
			continue
		}
		if err := fault.before(ctx); err != nil {
			return fmt.Errorf("%s %s: %w", method, argument, err)
		}
	}
	err := work()
	for _, fault := range due {
		if err == nil && fault.after != nil {
			return fmt.Errorf("%s %s: %w", method, argument, fault.after)
		}
	}
	return err
}

// record counts a call and returns the faults that are meant for it.
func (f *Faults) record(method, argument string) []fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts[method]++
	f.counts[""]++
	if name, ok := f.names[argument]; ok {
		argument = name
	}
	f.calls = append(f.calls, method+" "+argument)
	var due []fault
	for _, fault := range f.due {
		n := f.counts[fault.method]
		if fault.method != "" && fault.method != method {
			continue
		}
		if fault.n == 0 || fault.n == n || fault.further && fault.n < n {
			due = append(due, fault)
		}
	}
	return due
}
