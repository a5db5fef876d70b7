package archive_test

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/images/internal/archive"
	"github.com/magekind/magekind/magefiles/images/internal/layer"
)

// unpack returns the files of a tar file by name.
func unpack(t *testing.T, r io.Reader) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for reader := tar.NewReader(r); ; {
		header, err := reader.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := files[header.Name]; twice {
			t.Errorf("%s is there twice", header.Name)
		}
		if files[header.Name], err = io.ReadAll(reader); err != nil {
			t.Fatal(err)
		}
	}
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func decode[T any](t *testing.T, content []byte) T {
	t.Helper()
	var value T
	if err := json.Unmarshal(content, &value); err != nil {
		t.Fatalf("%v in %q", err, content)
	}
	return value
}

type config struct {
	Architecture, OS, Created string
	Config                    archive.Config
	RootFS                    struct {
		Type    string
		DiffIDs []string `json:"diff_ids"`
	}
}

func tree(content string) *layer.Tree {
	tree := layer.New()
	tree.Bytes("file", 0o644, []byte(content))
	return tree
}

func TestDockerArchive(t *testing.T) {
	t.Parallel()
	var layers []layer.File
	for _, content := range []string{"bottom", "top"} {
		file, err := tree(content).Save(filepath.Join(t.TempDir(), content))
		if err != nil {
			t.Fatal(err)
		}
		layers = append(layers, file)
	}
	image := archive.Image{
		Name: "localhost/a:1", Arch: "arm64", Created: time.Unix(1, 0), Layers: layers,
		Config: archive.Config{Entrypoint: []string{"/a"}, StopSignal: "SIGRTMIN+3", Labels: map[string]string{"k": "v"}},
	}
	var out bytes.Buffer
	if err := image.Write(&out); err != nil {
		t.Fatal(err)
	}
	files := unpack(t, &out)
	manifest := decode[[]struct {
		Config           string
		RepoTags, Layers []string
	}](t, files["manifest.json"])
	if len(manifest) != 1 || len(manifest[0].RepoTags) != 1 || manifest[0].RepoTags[0] != image.Name {
		t.Fatalf("got manifest %+v", manifest)
	}
	got := decode[config](t, files[manifest[0].Config])
	if got.Architecture != "arm64" || got.OS != "linux" || got.Created != "1970-01-01T00:00:01Z" {
		t.Errorf("got %+v", got)
	}
	if got.Config.StopSignal != "SIGRTMIN+3" || got.Config.Labels["k"] != "v" || got.Config.Entrypoint[0] != "/a" {
		t.Errorf("got %+v", got.Config)
	}
	for i, name := range manifest[0].Layers {
		if want := digest(files[name]); got.RootFS.DiffIDs[i] != want {
			t.Errorf("layer %d: got diff id %s, want %s", i, got.RootFS.DiffIDs[i], want)
		}
	}
	if got, want := len(manifest[0].Layers), len(layers); got != want {
		t.Errorf("got %d layers, want %d", got, want)
	}
}

type descriptor struct {
	MediaType, Digest string
	Size              int
	Annotations       map[string]string
}

// blob returns a blob of an OCI archive after checking it.
func blob(t *testing.T, files map[string][]byte, d descriptor) []byte {
	t.Helper()
	content := files["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
	if digest(content) != d.Digest || len(content) != d.Size {
		t.Errorf("blob %+v has %d bytes and the digest %s", d, len(content), digest(content))
	}
	return content
}

func TestOCIArchive(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("no zstd command")
	}
	var blobs []archive.Blob
	for _, content := range []string{"common", "a", "b"} {
		blob, err := archive.Compress(t.Context(), tree(content), filepath.Join(t.TempDir(), content))
		if err != nil {
			t.Fatal(err)
		}
		blobs = append(blobs, blob)
	}
	var buffer bytes.Buffer
	out := archive.NewOCI(&buffer)
	for i, name := range []string{"a:1", "b:1"} {
		config := archive.Config{Entrypoint: []string{name}}
		if err := out.Add(name, "amd64", config, blobs[0], blobs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	files := unpack(t, &buffer)
	if got := string(files["oci-layout"]); got != `{"imageLayoutVersion":"1.0.0"}` {
		t.Errorf("got oci-layout %s", got)
	}
	index := decode[struct{ Manifests []descriptor }](t, files["index.json"])
	if len(index.Manifests) != 2 {
		t.Fatalf("got %d manifests, want 2", len(index.Manifests))
	}
	for i, d := range index.Manifests {
		manifest := decode[struct {
			Config descriptor
			Layers []descriptor
		}](t, blob(t, files, d))
		got := decode[config](t, blob(t, files, manifest.Config))
		if name := d.Annotations["io.containerd.image.name"]; name != got.Config.Entrypoint[0] {
			t.Errorf("image %q has the entrypoint of %q", name, got.Config.Entrypoint[0])
		}
		for n, want := range []archive.Blob{blobs[0], blobs[i+1]} {
			checkLayer(t, blob(t, files, manifest.Layers[n]), got.RootFS.DiffIDs[n], want)
		}
	}
}

// checkLayer uncompresses a layer and compares it with its diff id.
func checkLayer(t *testing.T, compressed []byte, diffID string, want archive.Blob) {
	t.Helper()
	command := exec.Command("zstd", "--decompress", "--stdout")
	command.Stdin = bytes.NewReader(compressed)
	plain, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	if digest(plain) != diffID || diffID != want.DiffID {
		t.Errorf("the layer's diff id is %s, the image says %s, want %s", digest(plain), diffID, want.DiffID)
	}
}
