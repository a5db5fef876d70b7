package engine

import "errors"

// The classes of failure that callers tell apart with [errors.Is]. Each adapter
// translates its client's errors in one place and keeps the cause wrapped beside the class.
var (
	// ErrNotFound: no such container, image or network.
	ErrNotFound = errors.New("not found")
	// ErrConflict: a name that is taken, or a state that does not allow the call.
	ErrConflict = errors.New("conflict")
	// ErrUnavailable: the engine can't be reached or does not answer.
	ErrUnavailable = errors.New("engine unavailable")
	// ErrNoSpace: the engine's disk is full.
	ErrNoSpace = errors.New("the engine's disk is full")
	// ErrUnauthorized: the registry refuses the credentials, or asks for some.
	ErrUnauthorized = errors.New("unauthorized")
	// ErrUnsupported: the engine can't do this.
	ErrUnsupported = errors.New("not supported by this engine")
)
