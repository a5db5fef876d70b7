package local

import (
	"context"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"sigs.k8s.io/kind/pkg/apis/config/defaults"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/magefiles/engine"
)

// Preparer makes this repository's commands work on a machine that has no
// engine, or no way to a registry.
type Preparer struct {
	// Root is the working tree.
	Root string
	// Out gets progress.
	Out io.Writer
}

// Find points the environment to the engine that [Preparer.Engine] has made, if
// it runs, and to the cloud provider's image that [Preparer.Up] will have chosen,
// without which a status would take the one that runs for outdated.
func (p Preparer) Find(ctx context.Context, cfg *kindenv.Config) error {
	host, own, err := engine.Running(engine.Options{Out: p.Out})
	if err != nil {
		return err
	}
	if own {
		cfg.Host = host
		if err := use(host); err != nil {
			return err
		}
	}
	useProvider(cfg, newestStandIn(ctx))
	return nil
}

// Engine makes sure that an engine can run kind nodes, and points this process,
// with all that it starts, to it.
func (p Preparer) Engine(ctx context.Context) (host string, err error) {
	choice, err := engine.Ensure(ctx, engine.Options{Out: p.Out})
	if err != nil {
		return "", err
	}
	// An engine found by a docker context is left to that context, which has its certificates.
	if named := os.Getenv("DOCKER_HOST"); !choice.Own && (named == "" || named == choice.Host) {
		return choice.Host, nil
	}
	return choice.Host, use(choice.Host)
}

// Up prepares cfg for an env:up: the engine, and images that are built from
// source in place of upstream's when those can neither be found nor pulled.
// It returns the images, of which the caller has to deploy the example's.
func (p Preparer) Up(ctx context.Context, cfg *kindenv.Config) (Images, error) {
	host, err := p.Engine(ctx)
	if err != nil {
		return Images{}, err
	}
	cfg.Host = host
	images, err := p.Images(ctx)
	if err != nil {
		return Images{}, err
	}
	if cfg.NodeImage == "" {
		cfg.NodeImage = images.Node
	}
	useProvider(cfg, images.CloudProvider)
	cfg.ResolveImage = p.resolve
	return images, nil
}

// useProvider sets the cloud provider's image, unless there is none to set.
func useProvider(cfg *kindenv.Config, image string) {
	if image == "" {
		return
	}
	if reflect.ValueOf(cfg.CloudProvider).IsZero() {
		cfg.CloudProvider = cloudprovider.DefaultConfig()
	}
	cfg.CloudProvider.Image = image
}

// resolve takes the place of an upstream image that a registry which answers
// refuses all the same, because of a limit or a rule.
func (p Preparer) resolve(ctx context.Context, ref string) (string, error) {
	switch ref {
	case defaults.Image:
		images, err := Build(ctx, p.Root, p.Out, Node)
		return images.Node, err
	case cloudprovider.DefaultImage:
		images, err := Build(ctx, p.Root, p.Out, CloudProvider)
		return images.CloudProvider, err
	}
	return "", fmt.Errorf("no image is built from source in place of %q", ref)
}

// Images makes the images that a cluster with the example in it needs. Node and
// CloudProvider are empty where upstream's images, the defaults, can be used.
func (p Preparer) Images(ctx context.Context) (Images, error) {
	only := []string{Example}
	if missing := absent(ctx, defaults.Image, cloudprovider.DefaultImage); len(missing) > 0 {
		if err := answer(ctx, registries()...); err != nil {
			p.explain(missing, err)
			only = []string{Node, CloudProvider, Example}
		}
	}
	return Build(ctx, p.Root, p.Out, only...)
}

func (p Preparer) explain(missing []string, err error) {
	fmt.Fprintf(p.Out, "Not on this engine: %s\n", strings.Join(missing, ", "))
	fmt.Fprintf(p.Out, "No registry to pull from: %v\n", err)
	fmt.Fprintln(p.Out, "Images built from source take their place. Those that are not there yet are built now, once: about six minutes on two cores.")
}

// use points this process, with all that it starts, to an engine.
func use(host string) error {
	if err := os.Setenv("DOCKER_HOST", host); err != nil {
		return fmt.Errorf("pointing to the engine at %q: %w", host, err)
	}
	return nil
}
