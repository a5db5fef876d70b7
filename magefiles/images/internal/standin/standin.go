// Package standin has the recipe of the image that stands in for the cloud
// provider where upstream's cannot be pulled: our own program with the same
// contract, the docker command, and a shell with the usual tools, in the places
// where upstream's image has them.
package standin

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/magekind/magekind/magefiles/images/internal/archive"
	"github.com/magekind/magekind/magefiles/images/internal/gobuild"
	"github.com/magekind/magekind/magefiles/images/internal/layer"
	"github.com/magekind/magekind/magefiles/images/internal/parallel"
	"github.com/magekind/magekind/magefiles/images/internal/shop"
)

const (
	source    = "cloudprovider"
	dockerCLI = "dockercli"

	entrypoint  = "/bin/cloud-provider-kind"
	environment = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

	// proxyImage tells the program which image its proxies run: its own.
	proxyImage = "STANDIN_PROXY_IMAGE="

	// gateways is the module with the definitions of the Gateway API.
	gateways = "sigs.k8s.io/gateway-api"
)

// Image returns the recipe.
func Image(s *shop.Shop) (shop.Image, error) {
	k, err := s.Key("standin")
	if err != nil {
		return shop.Image{}, err
	}
	for _, module := range []string{source, dockerCLI} {
		if err := k.Tree(s.Path(module)); err != nil {
			return shop.Image{}, err
		}
	}
	name := "localhost/magekind/cloud-provider-standin:" + k.String()
	return shop.Image{
		Role:   "cloudProvider",
		Name:   name,
		Labels: map[string]string{shop.LabelImage: "cloud-provider-standin", shop.LabelKey: k.String()},
		Make: func(ctx context.Context, dir string) (archive.Config, []layer.File, error) {
			file, err := build(ctx, s, dir)
			env := []string{environment, proxyImage + name}
			return archive.Config{Entrypoint: []string{entrypoint}, Env: env}, []layer.File{file}, err
		},
	}, nil
}

func build(ctx context.Context, s *shop.Shop, dir string) (layer.File, error) {
	binary := filepath.Join(dir, "cloud-provider-kind")
	var docker, busybox string
	err := parallel.Run(ctx,
		func(ctx context.Context) error {
			return s.Build(ctx, "the stand-in of the cloud provider", source, gobuild.Program{Packages: []string{"."}, Out: binary})
		},
		func(ctx context.Context) (err error) {
			docker, err = buildDocker(ctx, s)
			return err
		},
		func(ctx context.Context) (err error) {
			busybox, err = s.Busybox(ctx)
			return err
		},
	)
	if err != nil {
		return layer.File{}, err
	}
	tree, err := compose(ctx, binary, docker, busybox)
	if err != nil {
		return layer.File{}, err
	}
	if err := addGateways(ctx, s, tree); err != nil {
		return layer.File{}, err
	}
	return tree.Save(filepath.Join(dir, "standin.tar"))
}

// buildDocker returns the path of the docker command.
func buildDocker(ctx context.Context, s *shop.Shop) (string, error) {
	k, err := s.ProgramKey(dockerCLI)
	if err != nil {
		return "", err
	}
	return s.Results.Make("docker", k.String(), func(path string) error {
		const module = "github.com/docker/cli"
		versions, err := s.Module(dockerCLI).Versions(ctx)
		if err != nil {
			return err
		}
		version := strings.TrimSuffix(strings.TrimPrefix(versions[module], "v"), "+incompatible")
		return s.Build(ctx, "the docker command", dockerCLI, gobuild.Program{
			Packages: []string{module + "/cmd/docker"}, Out: path,
			LDFlags: fmt.Sprintf("-X %s/cli/version.Version=%s", module, version),
		})
	})
}
