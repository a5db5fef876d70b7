// Package node has the recipe of the node image: what kind needs to make a
// Kubernetes node of a container. It is Debian with kind's own files, the
// Kubernetes programs and containerd compiled from their Go modules, and the
// container images of the control plane inside containerd's store.
package node

import (
	"context"
	"fmt"

	"github.com/magekind/magekind/magefiles/images/internal/archive"
	"github.com/magekind/magekind/magefiles/images/internal/layer"
	"github.com/magekind/magekind/magefiles/images/internal/parallel"
	"github.com/magekind/magekind/magefiles/images/internal/shop"
	"github.com/magekind/magekind/magefiles/images/internal/tarball"
)

// source is the folder of the module with the programs, and of the image's own
// files in the folders rootfs and proxyFiles.
const (
	source     = "node"
	rootfs     = "rootfs"
	proxyFiles = "kube-proxy"
)

const environment = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// recipe is what is known before anything is built.
type recipe struct {
	*shop.Shop
	versions map[string]string // of modules, by path
}

// Image returns the recipe. The image's tag is the version of Kubernetes.
func Image(s *shop.Shop) (shop.Image, error) {
	k, err := s.Key("node")
	if err != nil {
		return shop.Image{}, err
	}
	if err := k.Tree(s.Path(source)); err != nil {
		return shop.Image{}, err
	}
	versions, err := s.Module(source).Versions(context.Background())
	if err != nil {
		return shop.Image{}, err
	}
	r := recipe{Shop: s, versions: versions}
	kubernetes, err := r.version(kubernetesModule)
	if err != nil {
		return shop.Image{}, err
	}
	return shop.Image{
		Role: "node",
		Name: "localhost/magekind/node:" + kubernetes,
		Labels: map[string]string{
			shop.LabelImage: "node", shop.LabelKey: k.String(), shop.LabelKubernetes: kubernetes,
		},
		Make: func(ctx context.Context, dir string) (archive.Config, []layer.File, error) {
			layers, err := r.build(ctx, dir)
			return archive.Config{
				Env:        []string{environment, "container=docker"}, // systemd looks for $container
				Entrypoint: []string{"/usr/local/bin/entrypoint", "/sbin/init"},
				StopSignal: "SIGRTMIN+3", // systemd ends on it; SIGTERM has it start again
			}, layers, err
		},
	}, nil
}

func (r recipe) version(module string) (string, error) {
	version := r.versions[module]
	if version == "" {
		return "", fmt.Errorf("the go.mod of %q requires no %q", source, module)
	}
	return version, nil
}

// build makes the layers: Debian, what is added to it, and containerd's store.
func (r recipe) build(ctx context.Context, dir string) ([]layer.File, error) {
	var programs string
	var bottom layer.File
	err := parallel.Run(ctx,
		func(ctx context.Context) (err error) {
			programs, err = r.programs(ctx)
			return err
		},
		func(ctx context.Context) (err error) {
			bottom, err = r.base(ctx)
			return err
		},
	)
	if err != nil {
		return nil, err
	}
	debian, err := tarball.Open(bottom.Path)
	if err != nil {
		return nil, err
	}
	defer debian.Close()
	var middle, top layer.File
	err = parallel.Run(ctx,
		func(ctx context.Context) (err error) {
			middle, err = r.system(ctx, programs, dir)
			return err
		},
		func(ctx context.Context) (err error) {
			top, err = r.store(ctx, programs, debian, dir)
			return err
		},
	)
	return []layer.File{bottom, middle, top}, err
}
