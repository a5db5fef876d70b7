package node

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/magekind/magekind/magefiles/images/internal/archive"
	"github.com/magekind/magekind/magefiles/images/internal/layer"
	"github.com/magekind/magekind/magefiles/images/internal/progress"
	"github.com/magekind/magekind/magefiles/images/internal/tarball"
)

// store returns the layer with containerd's folder, which holds the container
// images that kubeadm asks for.
func (r recipe) store(ctx context.Context, programs string, debian *tarball.Tarball, dir string) (layer.File, error) {
	wanted, err := r.readTags(ctx)
	if err != nil {
		return layer.File{}, err
	}
	const folder = "var/lib/containerd"
	root := filepath.Join(dir, "containerd")
	err = r.Step("make the container images of the control plane", func(*progress.Step) error {
		layers, err := r.containerLayers(ctx, programs, debian, dir)
		if err != nil {
			return err
		}
		return preload(ctx, filepath.Join(programs, "preload"), root, func(w io.Writer) error {
			return r.writeImages(w, wanted, layers)
		})
	})
	if err != nil {
		return layer.File{}, err
	}
	tree := layer.New()
	if err := tree.Copy(folder, root, func(string) fs.FileMode { return 0o644 }); err != nil {
		return layer.File{}, err
	}
	tree.Dir(folder, 0o711)
	return tree.Save(filepath.Join(dir, "store.tar"))
}

// preload runs the program of that name with the archive that write writes.
func preload(ctx context.Context, program, root string, write func(io.Writer) error) error {
	command := exec.CommandContext(ctx, program, root)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	writing := errors.Join(write(stdin), stdin.Close())
	if err := command.Wait(); err != nil {
		return fmt.Errorf("put the images into containerd's folder: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	if errors.Is(writing, os.ErrClosed) {
		return nil // the program has read all that it needs
	}
	return writing
}

// writeImages writes the OCI archive of the images.
func (r recipe) writeImages(w io.Writer, wanted tags, layers containerLayers) error {
	kubernetes := r.versions[kubernetesModule]
	common, programs := layers["accounts"], layers["kubernetes"]
	out := archive.NewOCI(w)
	for _, image := range []struct {
		name, entrypoint string
		layers           []archive.Blob
	}{
		{"registry.k8s.io/kube-apiserver:" + kubernetes, "kube-apiserver", []archive.Blob{common, programs}},
		{"registry.k8s.io/kube-controller-manager:" + kubernetes, "kube-controller-manager", []archive.Blob{common, programs}},
		{"registry.k8s.io/kube-scheduler:" + kubernetes, "kube-scheduler", []archive.Blob{common, programs}},
		{"registry.k8s.io/kube-proxy:" + kubernetes, "kube-proxy", []archive.Blob{common, programs, layers["netfilter"]}},
		{"registry.k8s.io/etcd:" + wanted.etcd, "etcd", []archive.Blob{common, layers["etcd"]}},
		{"registry.k8s.io/coredns/coredns:" + wanted.coredns, "/coredns", []archive.Blob{common, layers["coredns"]}},
		{wanted.pause, "/pause", []archive.Blob{layers["pause"]}},
	} {
		config := archive.Config{Entrypoint: []string{image.entrypoint}, Env: []string{environment}}
		if err := out.Add(image.name, r.Arch(), config, image.layers...); err != nil {
			return err
		}
	}
	return out.Close()
}
