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

// makeAll makes the images, one process at a time on this machine.
func makeAll(ctx context.Context, s *shop.Shop, o Options, images []shop.Image) (err error) {
	if err := suitable(ctx, o.Engine, s.Arch()); err != nil {
		return err
	}
	unlock, err := s.Results.Lock(ctx, func(holder string) {
		s.Log.Printf("%s builds images: waiting for it", holder)
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := s.Results.Tidy(); err != nil {
		return err
	}
	if !o.Force { // the process that was waited for may have made them
		if images, err = absent(ctx, o.Engine, images); err != nil {
			return err
		}
	}
	beating, stop := context.WithCancel(ctx)
	defer stop()
	go s.Log.Beat(beating, quiet)
	var tasks []func(context.Context) error
	for _, image := range images {
		tasks = append(tasks, func(ctx context.Context) error { return makeOne(ctx, s, o.Engine, image) })
	}
	return parallel.Run(ctx, tasks...)
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

func makeOne(ctx context.Context, s *shop.Shop, docker engine.Docker, image shop.Image) error {
	s.Log.Printf("building %s", image.Name)
	dir, err := s.Results.Scratch()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	config, layers, err := image.Make(ctx, dir)
	if err != nil {
		return fmt.Errorf("build image %q: %w", image.Name, err)
	}
	config.Labels = image.Labels
	finished := archive.Image{Name: image.Name, Arch: s.Arch(), Created: time.Now(), Config: config, Layers: layers}
	return s.Step("load "+image.Name, func(*progress.Step) error {
		if err := docker.Load(ctx, finished.Write); err != nil {
			return err
		}
		return docker.Forget(ctx, map[string]string{shop.LabelImage: image.Labels[shop.LabelImage]})
	})
}
