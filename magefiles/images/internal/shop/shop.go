// Package shop is what the recipes of the images have in common: the tools of
// the workplace, and the form of what they make.
package shop

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/magekind/magekind/magefiles/images/internal/archive"
	"github.com/magekind/magekind/magefiles/images/internal/cache"
	"github.com/magekind/magekind/magefiles/images/internal/debian"
	"github.com/magekind/magekind/magefiles/images/internal/gobuild"
	"github.com/magekind/magekind/magefiles/images/internal/key"
	"github.com/magekind/magekind/magefiles/images/internal/layer"
	"github.com/magekind/magekind/magefiles/images/internal/progress"
)

// Labels that the images bear.
const (
	LabelImage      = "io.magekind.image"      // which of the images it is
	LabelKey        = "io.magekind.key"        // the key of what it was made from
	LabelKubernetes = "io.magekind.kubernetes" // of a node image: the version of Kubernetes, such as v1.37.2
)

// tags are given to every go build, for packages compiled with other tags are
// others to the build cache. The programs use Go's own resolver and user data,
// containerd has no snapshotters that kind never selects, and runc has seccomp.
const tags = "netgo,osusergo,no_aufs,no_zfs,no_btrfs,no_devmapper,seccomp"

// Image is an image that can be built.
type Image struct {
	Role   string // what it is for: its name in the program's output and flags
	Name   string // with its tag
	Labels map[string]string
	// Make leaves the image's layers in the folder dir.
	Make func(ctx context.Context, dir string) (archive.Config, []layer.File, error)
}

// Shop is the workplace.
type Shop struct {
	Source  string // the folder magefiles/images
	Results *cache.Cache
	Log     *progress.Log

	installing sync.Mutex // apt-get has one lock for all
	warming    sync.Once  // guards warmed
	warmed     error      // of compiling the standard library
}

// New returns a workplace for the sources in the folder source.
func New(source string, results *cache.Cache, log *progress.Log) *Shop {
	return &Shop{Source: source, Results: results, Log: log}
}

// Arch is the architecture of the images, in Go's words.
func (s *Shop) Arch() string { return runtime.GOARCH }

// Path returns the path of a file or folder that is given relative to magefiles/images.
func (s *Shop) Path(name string) string { return filepath.Join(s.Source, filepath.FromSlash(name)) }

// Module returns the Go module in a folder given relative to magefiles/images.
func (s *Shop) Module(dir string) gobuild.Module {
	return gobuild.Module{Dir: s.Path(dir), Tags: tags}
}

// Key begins the key of an image: with what every recipe uses, and the recipe in
// the package internal/name.
func (s *Shop) Key(name string) (*key.Key, error) {
	k := key.New(name, runtime.Version(), runtime.GOARCH, tags)
	for _, folder := range []string{name, "archive", "debian", "gobuild", "layer", "shop", "tarball"} {
		if err := k.Tree(s.Path("internal/" + folder)); err != nil {
			return nil, fmt.Errorf("compute the key of image %q: %w", name, err)
		}
	}
	return k, nil
}

// ProgramKey begins the key of programs of the module in the folder dir, of which
// the folders in skip are no part.
func (s *Shop) ProgramKey(dir string, skip ...string) (*key.Key, error) {
	k := key.New(runtime.Version(), runtime.GOARCH, tags)
	return k, errors.Join(k.Tree(s.Path("internal/gobuild")), k.Tree(s.Path(dir), skip...))
}

// Install installs packages that this machine lacks.
func (s *Shop) Install(ctx context.Context, tools ...debian.Tool) error {
	if len(debian.Missing(tools...)) == 0 {
		return nil
	}
	s.installing.Lock()
	defer s.installing.Unlock()
	return s.Step("install Debian packages", func(*progress.Step) error {
		return debian.Install(ctx, tools...)
	})
}

// Step runs do as a step of the log.
func (s *Shop) Step(name string, do func(step *progress.Step) error) error {
	step := s.Log.Step(name)
	err := do(step)
	step.End(err)
	return err
}
