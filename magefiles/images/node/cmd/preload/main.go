// Command preload puts container images into a containerd root directory while
// no containerd runs there: it reads an OCI archive from standard input and
// leaves the content store and the metadata database in the directory that it
// is given. Kubernetes' own tag for pinned images keeps the kubelet from
// collecting them. Layers are unpacked on the node, as with kind's own images.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	containerd "github.com/containerd/containerd/v2/client"
	"github.com/containerd/containerd/v2/core/metadata"
	"github.com/containerd/containerd/v2/pkg/namespaces"
	"github.com/containerd/containerd/v2/plugins/content/local"
	"go.etcd.io/bbolt"
)

// namespace is where the kubelet's container runtime interface looks.
const namespace = "k8s.io"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: preload DIRECTORY <ARCHIVE")
		os.Exit(2)
	}
	if err := preload(context.Background(), os.Args[1], os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "preload:", err)
		os.Exit(1)
	}
}

// preload imports the images of archive into the containerd root directory root.
func preload(ctx context.Context, root string, archive io.Reader) (err error) {
	// The two folders bear the names of the plugins that own them.
	store, err := local.NewStore(filepath.Join(root, "io.containerd.content.v1.content"))
	if err != nil {
		return fmt.Errorf("open the content store: %w", err)
	}
	folder := filepath.Join(root, "io.containerd.metadata.v1.bolt")
	if err := os.MkdirAll(folder, 0o711); err != nil {
		return err
	}
	bolt, err := bbolt.Open(filepath.Join(folder, "meta.db"), 0o644, &bbolt.Options{NoSync: true})
	if err != nil {
		return fmt.Errorf("open the metadata database: %w", err)
	}
	defer func() {
		if closing := bolt.Close(); err == nil {
			err = closing
		}
	}()
	db := metadata.NewDB(bolt, store, nil)
	if err := db.Init(ctx); err != nil {
		return fmt.Errorf("initialise the metadata database: %w", err)
	}
	return importImages(ctx, db, archive)
}

func importImages(ctx context.Context, db *metadata.DB, archive io.Reader) error {
	ctx = namespaces.WithNamespace(ctx, namespace)
	client, err := containerd.New("", containerd.WithServices(
		containerd.WithContentStore(db.ContentStore()),
		containerd.WithImageStore(metadata.NewImageStore(db)),
		containerd.WithLeasesService(metadata.NewLeaseManager(db)),
	))
	if err != nil {
		return err
	}
	defer client.Close()
	images, err := client.Import(ctx, archive, containerd.WithAllPlatforms(true),
		containerd.WithImageLabels(map[string]string{"io.cri-containerd.pinned": "pinned"}))
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	for _, image := range images {
		fmt.Println(image.Name)
	}
	return nil
}
