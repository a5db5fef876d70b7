// Package example has the recipe of the example's image: the HTTP server of
// examples/loadbalancer, one static program that runs as nobody.
package example

import (
	"context"
	"path/filepath"

	"github.com/magekind/magekind/magefiles/images/internal/archive"
	"github.com/magekind/magekind/magefiles/images/internal/gobuild"
	"github.com/magekind/magekind/magefiles/images/internal/layer"
	"github.com/magekind/magekind/magefiles/images/internal/shop"
)

const (
	project = "../../examples/loadbalancer" // from magefiles/images
	server  = "cmd/hello"
	program = "/hello"
	nobody  = "65534:65534"
)

// Image returns the recipe.
func Image(s *shop.Shop) (shop.Image, error) {
	k, err := s.Key("example")
	if err != nil {
		return shop.Image{}, err
	}
	// The server is all that the image holds of the project.
	if err := k.Tree(s.Path(project + "/" + server)); err != nil {
		return shop.Image{}, err
	}
	for _, file := range []string{"go.mod", "go.sum"} {
		if err := k.File(s.Path(project + "/" + file)); err != nil {
			return shop.Image{}, err
		}
	}
	return shop.Image{
		Role:   "example",
		Name:   "localhost/magekind/example:" + k.String(),
		Labels: map[string]string{shop.LabelImage: "example", shop.LabelKey: k.String()},
		Make: func(ctx context.Context, dir string) (archive.Config, []layer.File, error) {
			return build(ctx, s, dir)
		},
	}, nil
}

func build(ctx context.Context, s *shop.Shop, dir string) (archive.Config, []layer.File, error) {
	binary := filepath.Join(dir, "hello")
	err := s.Build(ctx, "the example", project, gobuild.Program{Packages: []string{"./" + server}, Out: binary})
	if err != nil {
		return archive.Config{}, nil, err
	}
	tree := layer.New()
	if err := tree.File(program, 0o755, binary); err != nil {
		return archive.Config{}, nil, err
	}
	file, err := tree.Save(filepath.Join(dir, "example.tar"))
	return archive.Config{Entrypoint: []string{program}, User: nobody}, []layer.File{file}, err
}
