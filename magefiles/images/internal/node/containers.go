package node

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/magekind/magekind/magefiles/images/internal/archive"
	"github.com/magekind/magekind/magefiles/images/internal/layer"
	"github.com/magekind/magekind/magefiles/images/internal/parallel"
	"github.com/magekind/magekind/magefiles/images/internal/tarball"
)

// containerLayers are the layers of the container images, by name.
type containerLayers map[string]archive.Blob

// containerLayers makes and compresses the layers in the folder dir.
func (r recipe) containerLayers(
	ctx context.Context, programs string, debian *tarball.Tarball, dir string,
) (containerLayers, error) {
	layers := containerLayers{}
	var mu sync.Mutex
	var tasks []func(context.Context) error
	for name, fill := range map[string]func(*layer.Tree) error{
		"accounts":   func(tree *layer.Tree) error { return fillAccounts(tree, debian) },
		"kubernetes": func(tree *layer.Tree) error { return fillKubernetes(tree, programs) },
		"netfilter":  func(tree *layer.Tree) error { return r.fillNetfilter(tree, debian) },
		"etcd":       fillProgram("usr/local/bin/etcd", programs),
		"coredns":    fillProgram("coredns", programs),
		"pause":      fillProgram("pause", programs),
	} {
		tasks = append(tasks, func(ctx context.Context) error {
			tree := layer.New()
			if err := fill(tree); err != nil {
				return err
			}
			blob, err := archive.Compress(ctx, tree, filepath.Join(dir, name+".tar.zst"))
			if err != nil {
				return fmt.Errorf("make the layer %q: %w", name, err)
			}
			mu.Lock()
			defer mu.Unlock()
			layers[name] = blob
			return nil
		})
	}
	return layers, parallel.Run(ctx, tasks...)
}

func fillProgram(name, programs string) func(*layer.Tree) error {
	return func(tree *layer.Tree) error {
		return tree.File(name, 0o755, filepath.Join(programs, filepath.Base(name)))
	}
}

// fillAccounts adds what any static program expects of its root folder.
func fillAccounts(tree *layer.Tree, debian *tarball.Tarball) error {
	tree.Dir("tmp", 0o777|fs.ModeSticky)
	tree.Bytes("etc/passwd", 0o644, []byte("root:x:0:0:root:/:/sbin/nologin\nnobody:x:65534:65534:nobody:/:/sbin/nologin\n"))
	tree.Bytes("etc/group", 0o644, []byte("root:x:0:\nnobody:x:65534:\n"))
	tree.Bytes("etc/nsswitch.conf", 0o644, []byte("hosts: files dns\n"))
	certificates, err := debian.File("etc/ssl/certs/ca-certificates.crt")
	if err != nil {
		return err
	}
	add(tree, certificates)
	return nil
}

func fillKubernetes(tree *layer.Tree, programs string) error {
	const folder = "usr/local/bin/"
	for _, name := range []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy"} {
		tree.Link(folder+name, "hyperkube")
	}
	return tree.File(folder+"hyperkube", 0o755, filepath.Join(programs, "hyperkube"))
}

// add adds a file of Debian at its own path.
func add(tree *layer.Tree, file tarball.File) {
	tree.Open(file.Path, file.Mode, file.Size(), func() (io.ReadCloser, error) {
		return io.NopCloser(io.NewSectionReader(file, 0, file.Size())), nil
	})
}
