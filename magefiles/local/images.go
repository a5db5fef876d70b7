package local

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"sigs.k8s.io/kind/pkg/apis/config/defaults"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/magefiles/group"
)

// Images are the references of the images that are built from source. A field
// is empty when its image was not asked for.
type Images struct {
	Node          string `json:"node"`
	CloudProvider string `json:"cloudProvider"`
	Example       string `json:"example"`
}

// OrUpstream returns the images with upstream's in the place of those that were
// not built.
func (i Images) OrUpstream() Images {
	i.Node = cmp.Or(i.Node, defaults.Image)
	i.CloudProvider = cmp.Or(i.CloudProvider, cloudprovider.DefaultImage)
	return i
}

// The names by which Build is asked for one image.
const (
	Node          = "node"
	CloudProvider = "cloudProvider"
	Example       = "example"
)

// Build makes the named images, or all of them when none is named, on the
// engine that the environment points to, and returns their references. What is
// there already is found again within a second or two. Progress goes to out.
func Build(ctx context.Context, root string, out io.Writer, only ...string) (Images, error) {
	args := []string{"run", "-C", filepath.Join(root, "magefiles", "images"), "."}
	if len(only) > 0 {
		args = append(args, "-only", strings.Join(only, ","))
	}
	var stdout bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Stdout, cmd.Stderr = &stdout, out
	group.Lead(cmd)
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Run(); err != nil {
		return Images{}, fmt.Errorf("building images from source: %w", err)
	}
	var images Images
	if err := json.Unmarshal(stdout.Bytes(), &images); err != nil {
		return Images{}, fmt.Errorf("reading what the image build printed (%q): %w", stdout.String(), err)
	}
	return images, nil
}
