package targets

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/magefile/mage/mg"

	"github.com/magekind/magekind/kindenv"
)

// badConfiguration is the exit code for a configuration that is not valid.
const badConfiguration = 2

// run gives do the environment that the project configured, and a context that
// ends with mage's, on SIGTERM, and when mage itself is gone.
func run(ctx context.Context, do func(context.Context, *kindenv.Environment) error) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	ctx, cancel := followParent(ctx)
	defer cancel()

	cfg := config.Config
	if cfg.Out == nil {
		cfg.Out = os.Stdout
	}
	if _, err := kindenv.New(cfg); err != nil {
		return mg.Fatal(badConfiguration, err)
	}
	if config.Prepare != nil {
		if err := config.Prepare(ctx, &cfg); err != nil {
			return err
		}
	}
	env, err := kindenv.New(cfg)
	if err != nil {
		return mg.Fatal(badConfiguration, err)
	}
	return do(ctx, env)
}
