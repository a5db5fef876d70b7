//go:build mage

// The tasks of this project. The env targets come from magekind.
package main

import (
	"context"
	"os"

	"github.com/magefile/mage/sh"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/kindenv"

	//mage:import
	"github.com/magekind/magekind/targets"
)

func init() {
	targets.Configure(targets.Config{Config: config(), Prepare: deploy})
}

// config describes the environment. Leave the two variables out in a project of
// your own, unless your CI too must do with images that are on the engine already.
func config() kindenv.Config {
	provider := cloudprovider.DefaultConfig()
	if image := os.Getenv("CLOUD_PROVIDER_IMAGE"); image != "" {
		provider.Image = image
	}
	return kindenv.Config{NodeImage: os.Getenv("NODE_IMAGE"), CloudProvider: provider, Out: os.Stdout}
}

// deploy builds the image of the program as it is now, and has it run in the
// environment. Its tag is made of its content: a changed program is a changed
// manifest, which Kubernetes rolls out.
func deploy(_ context.Context, cfg *kindenv.Config) error {
	image, err := buildImage()
	if err != nil {
		return err
	}
	manifest, err := writeManifest(image)
	if err != nil {
		return err
	}
	cfg.Images = []string{image}
	cfg.Manifests = []string{manifest}
	return nil
}

// Test runs the end-to-end tests in an environment of their own, which is removed in any case.
func Test(ctx context.Context) error {
	cfg := config()
	if err := deploy(ctx, &cfg); err != nil {
		return err
	}
	return kindenv.Run(ctx, cfg, func(context.Context, *kindenv.Environment) error {
		return sh.RunV("go", "test", "-count=1", "-v", "-tags=e2e", "./e2e")
	})
}
