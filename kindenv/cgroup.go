package kindenv

import (
	"fmt"

	"github.com/magekind/magekind/templates"
)

// Kubernetes refuses cgroup v1 from one version on, and knows the setting that
// overrules it from another (KEP-4569).
const (
	refusesCgroupV1 = "v1.35"
	cgroupV1Setting = "failCgroupV1: false"
)

// kindConfig is the config to create the cluster from: the user's own, or
// ours with what this engine needs for these images.
func (s *session) kindConfig(images []nodeImage) ([]byte, error) {
	image, affected := s.refused(images)
	if !affected || s.shape.FailCgroupV1Off {
		return s.config, nil
	}
	why := fmt.Sprintf("the engine has cgroup v1, which Kubernetes %s (node image %s) refuses by default", image.version, friendly(image.ref))
	if s.cfg.ConfigFile != "" {
		return nil, fmt.Errorf("%s: add this to ConfigFile %q, or use an engine with cgroup v2:\n\nkubeadmConfigPatches:\n- |\n  kind: KubeletConfiguration\n  %s",
			why, s.cfg.ConfigFile, cgroupV1Setting)
	}
	s.console.Note(fmt.Sprintf("Adding `%s` to the kubelet's configuration: %s", cgroupV1Setting, why))
	c := s.cfg.Cluster
	c.FailCgroupV1Off = true
	return templates.Kind(c)
}

// refused finds an image whose kubelet does not start on this engine by default.
func (s *session) refused(images []nodeImage) (nodeImage, bool) {
	if s.eng.Endpoint().CgroupVersion != 1 {
		return nodeImage{}, false
	}
	for _, image := range images {
		if image.version != "" && atLeast(image.version, refusesCgroupV1) {
			return image, true
		}
	}
	return nodeImage{}, false
}
