package templates

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// kubeadmKinds are the documents that kind hands to kubeadm. A patch of another
// kind would be dropped without a word.
var kubeadmKinds = []string{
	"ClusterConfiguration", "InitConfiguration", "JoinConfiguration", "KubeletConfiguration", "KubeProxyConfiguration",
}

func (c Cluster) validatePatches() error {
	var errs []error
	for i, patch := range c.KubeadmPatches {
		errs = append(errs, kubeadmPatch(fmt.Sprintf("KubeadmPatches[%d]", i), patch))
	}
	for i, patch := range c.ContainerdPatches {
		errs = append(errs, someText(fmt.Sprintf("ContainerdPatches[%d]", i), patch))
	}
	return errors.Join(errs...)
}

func kubeadmPatch(field, patch string) error {
	if err := someText(field, patch); err != nil {
		return err
	}
	documents, err := patchDocuments(patch)
	if err != nil {
		return fmt.Errorf("%s is not YAML: %w", field, err)
	}
	for _, d := range documents {
		if !slices.Contains(kubeadmKinds, d.Kind) {
			return fmt.Errorf("%s has kind %q: a patch says which document it is for, by one of kind: %s",
				field, d.Kind, strings.Join(kubeadmKinds, ", "))
		}
	}
	return nil
}

func someText(field, patch string) error {
	if strings.TrimSpace(patch) == "" {
		return fmt.Errorf("%s is empty: give a patch, or leave it out", field)
	}
	if !utf8.ValidString(patch) {
		return fmt.Errorf("%s is not UTF-8 text", field)
	}
	return nil
}
