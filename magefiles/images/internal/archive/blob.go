package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/magekind/magekind/magefiles/images/internal/layer"
)

// Blob is a compressed layer on disk.
type Blob struct {
	Path   string
	Digest string // "sha256:…" of the compressed bytes
	DiffID string // "sha256:…" of the tar
	Size   int64  // of the compressed file, in bytes
}

// Compress writes the tree to the file path, compressed by the zstd command. It
// is the command and not a library because a fresh machine has to compile what
// this program imports; the level is the quickest, for the file stays here.
func Compress(ctx context.Context, tree *layer.Tree, path string) (Blob, error) {
	file, err := os.Create(path)
	if err != nil {
		return Blob{}, err
	}
	defer file.Close()
	compressed := layer.NewDigester(file)
	zstd := exec.CommandContext(ctx, "zstd", "--quiet", "-1", "--threads=0", "--stdout")
	var stderr bytes.Buffer
	zstd.Stdout, zstd.Stderr = compressed, &stderr
	stdin, err := zstd.StdinPipe()
	if err != nil {
		return Blob{}, err
	}
	if err := zstd.Start(); err != nil {
		return Blob{}, fmt.Errorf("compress a layer: %w", err)
	}
	plain := layer.NewDigester(stdin)
	writing := errors.Join(tree.Write(plain), stdin.Close())
	if err := zstd.Wait(); err != nil {
		return Blob{}, fmt.Errorf("compress a layer: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	if writing != nil {
		return Blob{}, writing
	}
	return Blob{Path: path, Digest: compressed.Digest(), DiffID: plain.Digest(), Size: compressed.Size()}, file.Close()
}
