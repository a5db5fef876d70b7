// Package archive writes images as files that container engines load: in
// Docker's own format, and as OCI archives.
package archive

import (
	"archive/tar"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/magekind/magekind/magefiles/images/internal/layer"
)

// Config says how containers of an image run; the field names are the engines'.
type Config struct {
	User         string              `json:"User,omitempty"`
	ExposedPorts map[string]struct{} `json:"ExposedPorts,omitempty"` // "8080/tcp"
	Env          []string            `json:"Env,omitempty"`
	Entrypoint   []string            `json:"Entrypoint,omitempty"`
	Cmd          []string            `json:"Cmd,omitempty"`
	Labels       map[string]string   `json:"Labels,omitempty"`
	StopSignal   string              `json:"StopSignal,omitempty"`
}

// Image is an image to write.
type Image struct {
	Name    string // with its tag
	Arch    string // in Go's words; the operating system is Linux
	Created time.Time
	Config  Config
	Layers  []layer.File // from the bottom
}

// description is the image's own JSON.
type description struct {
	Created      *time.Time `json:"created,omitempty"`
	Architecture string     `json:"architecture"`
	OS           string     `json:"os"`
	Config       Config     `json:"config"`
	RootFS       rootfs     `json:"rootfs"`
}

type rootfs struct {
	Type    string   `json:"type"`
	DiffIDs []string `json:"diff_ids"`
}

func describe(arch string, created time.Time, config Config, diffIDs []string) ([]byte, error) {
	d := description{
		Architecture: arch, OS: "linux", Config: config,
		RootFS: rootfs{Type: "layers", DiffIDs: diffIDs},
	}
	if !created.IsZero() {
		created = created.UTC()
		d.Created = &created
	}
	return json.Marshal(d)
}

// Write writes the image in the format of docker save.
func (i Image) Write(w io.Writer) error {
	out := tar.NewWriter(w)
	var diffIDs, names []string
	for n, file := range i.Layers {
		name := fmt.Sprintf("layer%d.tar", n)
		if err := addFile(out, name, file.Path, file.Size); err != nil {
			return err
		}
		diffIDs, names = append(diffIDs, file.Digest), append(names, name)
	}
	config, err := describe(i.Arch, i.Created, i.Config, diffIDs)
	if err != nil {
		return err
	}
	manifest, err := json.Marshal([]map[string]any{{
		"Config": "config.json", "RepoTags": []string{i.Name}, "Layers": names,
	}})
	if err != nil {
		return err
	}
	if err := addBytes(out, "config.json", config); err != nil {
		return err
	}
	if err := addBytes(out, "manifest.json", manifest); err != nil {
		return err
	}
	return out.Close()
}

func addBytes(out *tar.Writer, name string, content []byte) error {
	if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(content))}); err != nil {
		return err
	}
	_, err := out.Write(content)
	return err
}

func addFile(out *tar.Writer, name, path string, size int64) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: size}); err != nil {
		return err
	}
	_, err = io.Copy(out, file)
	return err
}
