package templates

import (
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"
)

// patches are a cluster's or a node's changes to what kubeadm gets. kind applies
// the cluster's first, and of each the merge patches before the operations.
type patches struct {
	Merge      []string     `json:"kubeadmConfigPatches"`
	Operations []operations `json:"kubeadmConfigPatchesJSON6902"`
}

// operations are a JSON patch (RFC 6902) of the documents of one kind.
type operations struct {
	Kind  string `json:"kind"`
	Patch string `json:"patch"` // a list, in JSON or YAML
}

// failCgroupV1Off reports whether the cluster's kubelets get `failCgroupV1: false`.
// They all take their configuration from the first control plane.
func (c config) failCgroupV1Off() bool {
	off := c.failCgroupV1(false)
	for _, n := range c.Nodes {
		if n.Role != "worker" {
			return n.failCgroupV1(off)
		}
	}
	return off
}

// failCgroupV1 returns what becomes of the setting, off or not. A patch that can't
// be read changes nothing here; kind will name it.
func (p patches) failCgroupV1(off bool) bool {
	for _, patch := range p.Merge {
		documents, err := patchDocuments(patch)
		if err != nil {
			continue
		}
		for _, d := range documents {
			if d.Kind == kubelet && d.FailCgroupV1 != nil {
				off = !*d.FailCgroupV1
			}
		}
	}
	for _, o := range p.Operations {
		if o.Kind == kubelet {
			off = o.failCgroupV1(off)
		}
	}
	return off
}

const kubelet = "KubeletConfiguration"

func (o operations) failCgroupV1(off bool) bool {
	var all []struct {
		Path  string `json:"path"`
		Value any    `json:"value"` // none in a removal, which leaves the default
	}
	if err := yaml.Unmarshal([]byte(o.Patch), &all); err != nil {
		return off
	}
	for _, one := range all {
		if one.Path == "/failCgroupV1" {
			off = one.Value == false
		}
	}
	return off
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
