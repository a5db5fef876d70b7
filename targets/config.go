package targets

import (
	"context"

	"github.com/magekind/magekind/kindenv"
)

// Config is what a project can set for its environment. The zero value works.
type Config struct {
	// Config describes the environment. Out is set to the standard output when
	// it is nil.
	kindenv.Config

	// Prepare, if set, is called before env:up touches the engine, and may
	// change what it is given: start an engine and name it in Host, build images
	// and name them. Its ctx ends with the target's.
	Prepare func(ctx context.Context, cfg *kindenv.Config) error

	// Find, if set, is called before the targets that only look or remove. It
	// may name in Host the engine that Prepare has started, and should not start one.
	Find func(ctx context.Context, cfg *kindenv.Config) error
}

// config is written by Configure, from a magefile's init, and only read after.
var config Config

// Configure sets what the targets work with. Call it from the magefile's init;
// a second call replaces what the first one set.
func Configure(cfg Config) { config = cfg }
