package targets

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/magefile/mage/mg"

	"github.com/magekind/magekind/kindenv"
)

// badConfiguration is the exit code for a configuration that is not valid.
const badConfiguration = 2

type (
	hook func(context.Context, *kindenv.Config) error
	work func(context.Context, *kindenv.Environment) error
)

// run gives do the environment that the project configured, once before has
// had its say, and a context that ends with mage's, on SIGTERM, and when mage
// itself is gone. A configuration that is not valid is refused first.
func run(ctx context.Context, before hook, do work) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	ctx, cancel := followParent(ctx)
	defer cancel()
	defer smallHeap()()

	cfg := config.Config
	if cfg.Out == nil {
		cfg.Out = os.Stdout
	}
	if _, err := kindenv.New(cfg); err != nil {
		return mg.Fatal(badConfiguration, err)
	}
	if before != nil {
		if err := before(ctx, &cfg); err != nil {
			return err
		}
	}
	env, err := kindenv.New(cfg)
	if err != nil {
		return mg.Fatal(badConfiguration, err)
	}
	return told(do(ctx, env))
}

// smallHeap halves the garbage that may gather before it is collected, and
// returns what undoes that. The targets mostly wait: their live data is far
// below the 4 MB that the collector otherwise lets pass, which would be a fifth
// of the process. GOGC, where it is set, is left as it is.
func smallHeap() (undo func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(50)
	return func() { debug.SetGCPercent(before) }
}
