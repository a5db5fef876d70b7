package templates

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/distribution/reference"
)

// Validate returns every mistake in c, joined: each names the field, its value,
// what is allowed and what to do.
func (c Cluster) Validate() error {
	errs := []error{
		c.validateNodes(),
		c.validateNetwork(),
		c.validateFeatureGates(),
		c.validatePatches(),
	}
	errs = append(errs, c.validatePorts()...)
	errs = append(errs, c.validateMounts()...)
	return errors.Join(errs...)
}

func (c Cluster) validateNodes() error {
	var errs []error
	if c.ControlPlanes < 0 {
		errs = append(errs, fmt.Errorf("ControlPlanes is %d: it takes 1 or more, or 0 for the default of 1", c.ControlPlanes))
	}
	if c.Workers < 0 {
		errs = append(errs, fmt.Errorf("number of Workers is %d: it takes 0 or more", c.Workers))
	}
	if c.NodeImage != "" {
		if _, err := reference.ParseAnyReference(c.NodeImage); err != nil {
			errs = append(errs, fmt.Errorf("NodeImage is %q, which is no image reference (%w): "+
				"write it like kindest/node:v1.37.0, or leave it empty for kind's default", c.NodeImage, err))
		}
	}
	return errors.Join(errs...)
}

func (c Cluster) validateMounts() (errs []error) {
	seen := map[string]int{}
	for i, m := range c.Mounts {
		if err := absolute(fmt.Sprintf("Mounts[%d].HostPath", i), m.HostPath, filepath.IsAbs); err != nil {
			errs = append(errs, err)
		}
		if err := absolute(fmt.Sprintf("Mounts[%d].ContainerPath", i), m.ContainerPath, path.IsAbs); err != nil {
			errs = append(errs, err)
		}
		where := path.Clean(m.ContainerPath)
		if first, twice := seen[where]; twice {
			errs = append(errs, fmt.Errorf("Mounts[%d].ContainerPath is %q, as Mounts[%d]'s is: give each mount a path of its own in the node",
				i, m.ContainerPath, first))
		}
		seen[where] = i
	}
	return errs
}

func absolute(field, value string, isAbs func(string) bool) error {
	switch {
	case value == "":
		return fmt.Errorf("%s is empty: give an absolute path", field)
	case !isAbs(value):
		return fmt.Errorf("%s is %q: give an absolute path (filepath.Abs makes one)", field, value)
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		return fmt.Errorf("%s is %q: a path in a kind configuration must be UTF-8 text", field, value)
	default:
		return nil
	}
}

// gateName is what Kubernetes calls its feature gates, AllAlpha and AllBeta included.
var gateName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)

func (c Cluster) validateFeatureGates() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(c.FeatureGates)) {
		if !gateName.MatchString(name) {
			errs = append(errs, fmt.Errorf("FeatureGates has %q: a feature gate's name is letters and digits, "+
				"as in https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/", name))
		}
	}
	return errors.Join(errs...)
}
