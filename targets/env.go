package targets

import (
	"context"
	"fmt"
	"os"

	"github.com/magefile/mage/mg"

	"github.com/magekind/magekind/kindenv"
)

// Env is the namespace of the environment's targets.
type Env mg.Namespace

// Up makes the environment, or completes what is there, and waits until it is ready.
//
// It makes a kind cluster with a cloud provider beside it, so that Services of
// type LoadBalancer, Ingresses and Gateways get addresses, and returns when all
// of it works. On an environment that is ready it changes nothing.
func (Env) Up(ctx context.Context) error {
	return run(ctx, config.Prepare, func(ctx context.Context, env *kindenv.Environment) error { return env.Up(ctx) })
}

// Down removes the environment, whatever state it is in, and nothing of any other project.
//
// The cluster, the cloud provider, its load balancers and the entries in the
// kubeconfig go; images and the network that all kind clusters share stay.
// Where there is nothing to remove it succeeds.
func (Env) Down(ctx context.Context) error {
	return run(ctx, config.Find, func(ctx context.Context, env *kindenv.Environment) error { return env.Down(ctx) })
}

// Logs follows the logs of the cloud provider, its load balancers and the control-plane node.
//
// Each line starts with its source. Recent history comes first; containers that
// appear later are followed too. Interrupting it stops nothing but the output.
func (Env) Logs(ctx context.Context) error {
	return run(ctx, config.Find, func(ctx context.Context, env *kindenv.Environment) error { return env.Logs(ctx, os.Stdout) })
}

// Status says what there is of the environment and in what state.
//
// Of what is wrong it says what env:up does about it, or what you can do. It
// changes nothing, and fails only when the state can't be found out.
func (Env) Status(ctx context.Context) error {
	return run(ctx, config.Find, func(ctx context.Context, env *kindenv.Environment) error {
		status, err := env.Status(ctx)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(os.Stdout, status)
		return err
	})
}
