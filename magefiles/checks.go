//go:build mage

package main

import (
	"context"
	"io"
	"os"

	"github.com/magefile/mage/mg"

	"github.com/magekind/magekind/magefiles/check"
	"github.com/magekind/magekind/magefiles/local"
)

// Test runs every check there is: formatting to end-to-end tests on real clusters.
//
// It prepares an engine and images as demo does. Each phase has a heading and
// the time that it took; a phase that fails is named at the end.
func Test(ctx context.Context) error {
	return checks(ctx, func(p local.Preparer) []check.Phase {
		var images local.Images
		env := func() []string { return imageEnv(images) }
		phases := append(check.Lint(p.Root), check.Unit(p.Root), prepared(p, &images))
		return append(phases,
			check.Contract(p.Root, env, ready), check.Example(p.Root, env, ready), check.EndToEnd(p.Root, env, ready))
	})
}

// Check is the namespace of the parts of test.
type Check mg.Namespace

// Lint checks formatting, vet, staticcheck, and that every go.mod is tidy.
func (Check) Lint(ctx context.Context) error {
	return checks(ctx, func(p local.Preparer) []check.Phase { return check.Lint(p.Root) })
}

// Unit runs the unit tests of every module with the race detector.
func (Check) Unit(ctx context.Context) error {
	return checks(ctx, func(p local.Preparer) []check.Phase { return []check.Phase{check.Unit(p.Root)} })
}

// Contract runs the contract suites on the real engine.
func (Check) Contract(ctx context.Context) error {
	return checks(ctx, func(p local.Preparer) []check.Phase {
		var images local.Images
		return []check.Phase{prepared(p, &images), check.Contract(p.Root, func() []string { return imageEnv(images) }, ready)}
	})
}

// E2e runs the example's test and the end-to-end suite on real clusters.
func (Check) E2e(ctx context.Context) error {
	return checks(ctx, func(p local.Preparer) []check.Phase {
		var images local.Images
		env := func() []string { return imageEnv(images) }
		return []check.Phase{prepared(p, &images), check.Example(p.Root, env, ready), check.EndToEnd(p.Root, env, ready)}
	})
}

// Vulnerabilities looks in every module for code with known vulnerabilities.
//
// It needs the network, so it is no part of test.
func (Check) Vulnerabilities(ctx context.Context) error {
	return checks(ctx, func(p local.Preparer) []check.Phase { return []check.Phase{check.Vulnerabilities(p.Root)} })
}

// ready is the phase that later ones need.
const ready = "engine and images"

// prepared makes an engine and images ready, and stores the images' names.
func prepared(p local.Preparer, images *local.Images) check.Phase {
	return check.Phase{Name: ready, Run: func(ctx context.Context, out io.Writer) error {
		p.Out = out
		if _, err := p.Engine(ctx); err != nil {
			return err
		}
		var err error
		*images, err = p.Images(ctx)
		return err
	}}
}

// imageEnv tells tests which images to use.
func imageEnv(images local.Images) []string {
	images = images.OrUpstream()
	return []string{
		"MAGEKIND_E2E_NODE_IMAGE=" + images.Node,
		"MAGEKIND_E2E_CLOUD_PROVIDER_IMAGE=" + images.CloudProvider,
		"MAGEKIND_E2E_EXAMPLE_IMAGE=" + images.Example,
		"NODE_IMAGE=" + images.Node, // by these names the example's magefile asks for them
		"CLOUD_PROVIDER_IMAGE=" + images.CloudProvider,
	}
}

func checks(ctx context.Context, phases func(local.Preparer) []check.Phase) error {
	ctx, stop := stopped(ctx)
	defer stop()
	return with(func(p local.Preparer) error { return check.Run(ctx, os.Stdout, phases(p)...) })
}
