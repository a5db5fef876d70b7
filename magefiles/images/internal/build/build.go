// Package build brings the images into the container engine: it looks for them,
// and has those made that are not there.
package build

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/magekind/magekind/magefiles/images/internal/cache"
	"github.com/magekind/magekind/magefiles/images/internal/engine"
	"github.com/magekind/magekind/magefiles/images/internal/example"
	"github.com/magekind/magekind/magefiles/images/internal/node"
	"github.com/magekind/magekind/magefiles/images/internal/parallel"
	"github.com/magekind/magekind/magefiles/images/internal/progress"
	"github.com/magekind/magekind/magefiles/images/internal/shop"
	"github.com/magekind/magekind/magefiles/images/internal/standin"
)

// quiet is how long nothing is said before there is a sign of life.
const quiet = 20 * time.Second

// Options says what to build.
type Options struct {
	Source string // the folder magefiles/images
	Roles  []string
	Force  bool // build what is there already
	Engine engine.Docker
	Log    *progress.Log
}

// Roles returns what the images are for.
func Roles() []string { return slices.Sorted(maps.Keys(recipes())) }

func recipes() map[string]func(*shop.Shop) (shop.Image, error) {
	return map[string]func(*shop.Shop) (shop.Image, error){
		"node": node.Image, "cloudProvider": standin.Image, "example": example.Image,
	}
}

// Images returns the names of the images by what they are for, when the engine
// has all of them.
func Images(ctx context.Context, o Options) (map[string]string, error) {
	folder, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("find a folder for intermediate results: %w", err)
	}
	results, err := cache.Open(filepath.Join(folder, "magekind", "images"))
	if err != nil {
		return nil, err
	}
	s := shop.New(o.Source, results, o.Log)
	names := map[string]string{}
	var images []shop.Image
	for _, role := range o.Roles {
		image, err := recipes()[role](s)
		if err != nil {
			return nil, err
		}
		names[role] = image.Name
		images = append(images, image)
	}
	missing := images
	if !o.Force {
		if missing, err = absent(ctx, o.Engine, images); err != nil {
			return nil, err
		}
	}
	if len(missing) == 0 {
		return names, nil
	}
	return names, makeAll(ctx, s, o, missing)
}

// absent returns those of the images that the engine does not have.
func absent(ctx context.Context, docker engine.Docker, images []shop.Image) ([]shop.Image, error) {
	found := make([]bool, len(images))
	var tasks []func(context.Context) error
	for i, image := range images {
		tasks = append(tasks, func(ctx context.Context) (err error) {
			found[i], err = docker.Find(ctx, image.Name, image.Labels)
			return err
		})
	}
	if err := parallel.Run(ctx, tasks...); err != nil {
		return nil, err
	}
	var missing []shop.Image
	for i, image := range images {
		if !found[i] {
			missing = append(missing, image)
		}
	}
	return missing, nil
}
