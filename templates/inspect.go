package templates

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

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
	// FailCgroupV1Off says that the kubelet's configuration of the whole cluster has `failCgroupV1: false`.
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
	s := Summary{Name: c.Name, FailCgroupV1Off: failCgroupV1Off(c.KubeadmConfigPatches), DisableDefaultCNI: c.Networking.DisableDefaultCNI}
	s.count(c.Nodes)
	return s, nil
}

// config is the part of kind's configuration that is looked at.
type config struct {
	Kind                 string   `json:"kind"`
	APIVersion           string   `json:"apiVersion"`
	Name                 string   `json:"name"`
	Nodes                []node   `json:"nodes"`
	KubeadmConfigPatches []string `json:"kubeadmConfigPatches"`
	Networking           struct {
		DisableDefaultCNI bool `json:"disableDefaultCNI"`
	} `json:"networking"`
}

type node struct {
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

// patchDocument is what is looked at in one document of a kubeadm patch.
type patchDocument struct {
	Kind         string `json:"kind"`
	FailCgroupV1 *bool  `json:"failCgroupV1"`
}

// separator is the line between two documents of a patch.
var separator = regexp.MustCompile(`(?m)^---.*$`)

// patchDocuments splits a patch as kind does, at lines of three dashes.
func patchDocuments(patch string) ([]patchDocument, error) {
	var found []patchDocument
	for _, part := range separator.Split(patch, -1) {
		if strings.TrimSpace(part) == "" {
			continue
		}
		var d patchDocument
		if err := yaml.Unmarshal([]byte(part), &d); err != nil {
			return nil, err
		}
		found = append(found, d)
	}
	return found, nil
}

// failCgroupV1Off reports whether the last patch to speak of it says false. A
// patch that can't be read says nothing here; kind will name it.
func failCgroupV1Off(patches []string) (off bool) {
	for _, patch := range patches {
		documents, err := patchDocuments(patch)
		if err != nil {
			continue
		}
		for _, d := range documents {
			if d.Kind == "KubeletConfiguration" && d.FailCgroupV1 != nil {
				off = !*d.FailCgroupV1
			}
		}
	}
	return off
}
