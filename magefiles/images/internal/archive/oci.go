package archive

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/magekind/magekind/magefiles/images/internal/layer"
)

const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+zstd"
)

// OCI writes an archive in OCI's image layout. Layers that several images share
// are stored once.
type OCI struct {
	out       *tar.Writer
	stored    map[string]bool // digests
	manifests []descriptor
}

type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int64             `json:"size"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// NewOCI begins an archive.
func NewOCI(w io.Writer) *OCI {
	return &OCI{out: tar.NewWriter(w), stored: map[string]bool{}}
}

// Add adds an image of compressed layers, from the bottom.
func (o *OCI) Add(name, arch string, config Config, blobs ...Blob) error {
	var diffIDs []string
	var layers []descriptor
	for _, blob := range blobs {
		if err := o.store(blob); err != nil {
			return err
		}
		diffIDs = append(diffIDs, blob.DiffID)
		layers = append(layers, descriptor{MediaType: layerType, Digest: blob.Digest, Size: blob.Size})
	}
	text, err := describe(arch, time.Time{}, config, diffIDs)
	if err != nil {
		return err
	}
	described, err := o.storeBytes(configType, text)
	if err != nil {
		return err
	}
	text, err = json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": manifestType, "config": described, "layers": layers,
	})
	if err != nil {
		return err
	}
	manifest, err := o.storeBytes(manifestType, text)
	if err != nil {
		return err
	}
	// containerd takes the image's name from the annotation that bears its own.
	manifest.Annotations = map[string]string{"io.containerd.image.name": name}
	o.manifests = append(o.manifests, manifest)
	return nil
}

// Close ends the archive.
func (o *OCI) Close() error {
	index, err := json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": indexType, "manifests": o.manifests,
	})
	if err != nil {
		return err
	}
	if err := addBytes(o.out, "index.json", index); err != nil {
		return err
	}
	if err := addBytes(o.out, "oci-layout", []byte(`{"imageLayoutVersion":"1.0.0"}`)); err != nil {
		return err
	}
	return o.out.Close()
}

func (o *OCI) store(blob Blob) error {
	if o.stored[blob.Digest] {
		return nil
	}
	o.stored[blob.Digest] = true
	return addFile(o.out, blobName(blob.Digest), blob.Path, blob.Size)
}

func (o *OCI) storeBytes(mediaType string, content []byte) (descriptor, error) {
	sum := layer.NewDigester(io.Discard)
	if _, err := io.Copy(sum, bytes.NewReader(content)); err != nil {
		return descriptor{}, err
	}
	d := descriptor{MediaType: mediaType, Digest: sum.Digest(), Size: sum.Size()}
	if o.stored[d.Digest] {
		return d, nil
	}
	o.stored[d.Digest] = true
	return d, addBytes(o.out, blobName(d.Digest), content)
}

func blobName(digest string) string {
	return "blobs/sha256/" + strings.TrimPrefix(digest, "sha256:")
}
