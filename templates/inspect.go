package templates

import (
	"errors"
	"fmt"

	"sigs.k8s.io/yaml"
)

// ErrNotKind: the file is no kind cluster configuration.
var ErrNotKind = errors.New("not a kind configuration")

// apiVersion is the one version of its configuration that kind reads.
const apiVersion = "kind.x-k8s.io/v1alpha4"

// Summary is what a kind configuration says that has to be known before the
// cluster exists.
type Summary struct {
	// Name is the cluster's name in the file; most have none.
	Name string
	// ControlPlanes and Workers count the nodes, kind's default of one control plane included.
	ControlPlanes, Workers int
	// NodeImages are the images that the nodes name, without repetition, in order of appearance.
	NodeImages []string
	// DefaultImage says that some node names no image, so that it gets the one that goes with kind, or the caller's.
	DefaultImage bool
	// FailCgroupV1Off says that the kubelets get `failCgroupV1: false`, by a patch of the cluster or of
	// its first control plane.
	FailCgroupV1Off bool
	// DisableDefaultCNI says that the nodes stay not ready until a pod network is installed.
	DisableDefaultCNI bool
}

// Inspect reads a kind configuration, one's own or a rendered one. The error
// wraps [ErrNotKind] when raw is something else. It does not judge the settings: kind does, strictly.
func Inspect(raw []byte) (Summary, error) {
	var c config
	if err := yaml.Unmarshal(raw, &c); err != nil {
		return Summary{}, fmt.Errorf("%w: %w", ErrNotKind, err)
	}
	if c.Kind != "Cluster" || c.APIVersion != apiVersion {
		return Summary{}, fmt.Errorf("%w: it has kind %q and apiVersion %q, where kind's have Cluster and %s (https://kind.sigs.k8s.io/docs/user/configuration/)",
			ErrNotKind, c.Kind, c.APIVersion, apiVersion)
	}
	s := Summary{Name: c.Name, FailCgroupV1Off: c.failCgroupV1Off(), DisableDefaultCNI: c.Networking.DisableDefaultCNI}
	s.count(c.Nodes)
	return s, nil
}

// config is the part of kind's configuration that is looked at.
type config struct {
	patches
	Kind       string `json:"kind"`
	APIVersion string `json:"apiVersion"`
	Name       string `json:"name"`
	Nodes      []node `json:"nodes"`
	Networking struct {
		DisableDefaultCNI bool `json:"disableDefaultCNI"`
	} `json:"networking"`
}

type node struct {
	patches
	Role  string `json:"role"`
	Image string `json:"image"`
}

func (s *Summary) count(nodes []node) {
	if len(nodes) == 0 {
		nodes = []node{{}}
	}
	seen := map[string]bool{}
	for _, n := range nodes {
		if n.Role == "worker" {
			s.Workers++
		} else {
			s.ControlPlanes++
		}
		if n.Image == "" {
			s.DefaultImage = true
		} else if !seen[n.Image] {
			seen[n.Image] = true
			s.NodeImages = append(s.NodeImages, n.Image)
		}
	}
}
