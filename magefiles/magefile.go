//go:build mage

// The tasks of this repository. The env targets are the ones that projects import;
// here they bring up the example.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/magefile/mage/mg"

	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/magefiles/bench"
	"github.com/magekind/magekind/magefiles/consumer"
	"github.com/magekind/magekind/magefiles/demo"
	"github.com/magekind/magekind/magefiles/engine"
	"github.com/magekind/magekind/magefiles/local"

	//mage:import
	"github.com/magekind/magekind/targets"
)

func init() {
	root, err := consumer.Root()
	if err != nil {
		root = "." // where mage was called; the targets say what they miss there
	}
	targets.Configure(targets.Config{
		Config:  demo.Config(root),
		Prepare: prepare,
		Find: func(ctx context.Context, cfg *kindenv.Config) error {
			return with(func(p local.Preparer) error { return p.Find(ctx, cfg) })
		},
	})
}

// prepare has the example run in the environment, with an engine and images
// that are made where there are none.
func prepare(ctx context.Context, cfg *kindenv.Config) error {
	return with(func(p local.Preparer) error {
		images, err := p.Up(ctx, cfg)
		if err != nil {
			return err
		}
		return demo.Deploy(p.Root, images.Example, cfg)
	})
}

// Demo brings the example up on a real cluster and gets a page from its load balancer.
//
// It needs nothing but Go and a container engine. Where no engine can run the
// cluster's nodes it makes one (Linux, as root), and where no registry answers
// it builds the images; both it says. Remove everything with env:down.
func Demo(ctx context.Context) error {
	ctx, stop := stopped(ctx)
	defer stop()
	return with(func(p local.Preparer) error {
		cfg := demo.Config(p.Root)
		cfg.Out = os.Stdout
		if err := prepare(ctx, &cfg); err != nil {
			return err
		}
		return demo.Run(ctx, cfg, os.Stdout)
	})
}

// Images builds the images that are used where no registry answers, and prints their names.
func Images(ctx context.Context) error {
	ctx, stop := stopped(ctx)
	defer stop()
	return with(func(p local.Preparer) error {
		if _, err := p.Engine(ctx); err != nil {
			return err
		}
		images, err := local.Build(ctx, p.Root, p.Out)
		if err != nil {
			return err
		}
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(images)
	})
}

// Bench compares the targets with the same steps done by hand, and prints a table and JSON.
//
// Both sides take turns for several rounds (default 3). The JSON is also written
// to out/bench.json. It takes about ten minutes a round on two cores.
func Bench(ctx context.Context, rounds *int) error {
	ctx, stop := stopped(ctx)
	defer stop()
	return with(func(p local.Preparer) error {
		if _, err := p.Engine(ctx); err != nil {
			return err
		}
		images, err := p.Images(ctx)
		if err != nil {
			return err
		}
		n := 3
		if rounds != nil {
			n = *rounds
		}
		report, err := bench.Run(ctx, bench.Options{Root: p.Root, Images: images, Rounds: n, Out: os.Stderr})
		if err != nil {
			return err
		}
		return publish(report, filepath.Join(p.Root, "out", "bench.json"))
	})
}

// publish prints a benchmark's report and keeps it in a file.
func publish(report bench.Report, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(
		report.WriteTable(os.Stdout),
		report.WriteJSON(io.MultiWriter(os.Stdout, file)),
		file.Close(),
	)
}

// Engine is the namespace of the repository's own Docker engine.
type Engine mg.Namespace

// Stop stops the Docker engine that these commands made, and keeps its images.
func (Engine) Stop(ctx context.Context) error {
	return engine.Stop(ctx, engine.Options{Out: os.Stderr})
}

// Remove removes the Docker engine that these commands made, with its images.
func (Engine) Remove(ctx context.Context) error {
	return engine.Remove(ctx, engine.Options{Out: os.Stderr})
}

// with gives do what prepares engine and images in this working tree.
func with(do func(local.Preparer) error) error {
	root, err := consumer.Root()
	if err != nil {
		return fmt.Errorf("run this in the working tree: %w", err)
	}
	return do(local.Preparer{Root: root, Out: os.Stderr})
}

// stopped is a context that SIGTERM ends, as mage has it end on Ctrl-C.
func stopped(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, syscall.SIGTERM)
}
