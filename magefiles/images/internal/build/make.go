package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/magekind/magekind/magefiles/images/internal/archive"
	"github.com/magekind/magekind/magefiles/images/internal/engine"
	"github.com/magekind/magekind/magefiles/images/internal/parallel"
	"github.com/magekind/magekind/magefiles/images/internal/progress"
	"github.com/magekind/magekind/magefiles/images/internal/shop"
)

// makeAll makes the images side by side.
func makeAll(ctx context.Context, s *shop.Shop, o Options, images []shop.Image) error {
	if err := suitable(ctx, o.Engine, s.Arch()); err != nil {
		return err
	}
	beating, stop := context.WithCancel(ctx)
	defer stop()
	go s.Log.Beat(beating, quiet)
	var tasks []func(context.Context) error
	for _, image := range images {
		tasks = append(tasks, func(ctx context.Context) error { return makeOne(ctx, s, o, image) })
	}
	return parallel.Run(ctx, tasks...)
}

// makeOne makes an image, in one process at a time on this machine.
func makeOne(ctx context.Context, s *shop.Shop, o Options, image shop.Image) (err error) {
	waited := false
	unlock, err := s.Results.Lock(ctx, image.Role, func(holder string) {
		waited = true
		s.Log.Printf("waiting for another run that builds the same image, %s", holder)
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if waited && !o.Force { // the other process may have made the very image
		if found, err := o.Engine.Find(ctx, image.Name, image.Labels); found || err != nil {
			return err
		}
	}
	dir, err := s.Results.Scratch(image.Role)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s.Log.Printf("building %s", image.Name)
	config, layers, err := image.Make(ctx, dir)
	if err != nil {
		return fmt.Errorf("build image %q: %w", image.Name, err)
	}
	config.Labels = image.Labels
	finished := archive.Image{Name: image.Name, Arch: s.Arch(), Created: time.Now(), Config: config, Layers: layers}
	return s.Step("load "+image.Name, func(*progress.Step) error { return load(ctx, o.Engine, finished) })
}

// load brings the image into the engine, and removes what it supersedes.
func load(ctx context.Context, docker engine.Docker, image archive.Image) error {
	if err := docker.Load(ctx, image.Write); err != nil {
		return err
	}
	labels := image.Config.Labels
	return docker.Prune(ctx, map[string]string{shop.LabelImage: labels[shop.LabelImage]}, shop.LabelKey+"="+labels[shop.LabelKey])
}

// suitable refuses an engine that cannot run what is compiled here.
func suitable(ctx context.Context, docker engine.Docker, arch string) error {
	platform, err := docker.Platform(ctx)
	if err != nil {
		return err
	}
	if want := "linux/" + arch; platform != want {
		return fmt.Errorf("the container engine runs %s, and images built here are for %s: build them on a machine like the engine's", platform, want)
	}
	return nil
}
