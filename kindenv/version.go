package kindenv

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// labelKubernetes is a node image's label that tells its Kubernetes version,
// for images whose tag does not.
const labelKubernetes = "io.magekind.kubernetes"

// kubernetesOf tells the Kubernetes version of a node image: from its label,
// else from the tag, as upstream's images have it. Empty: unknown.
func kubernetesOf(ref string, image engine.Image) string {
	if version := image.Labels[labelKubernetes]; semver.IsValid(version) {
		return version
	}
	name, _, _ := strings.Cut(ref, "@")
	version := regexp.MustCompile(`:(v?\d+\.\d+\.\d+[0-9A-Za-z.-]*)$`).FindStringSubmatch(name)
	if version == nil {
		return ""
	}
	return "v" + strings.TrimPrefix(version[1], "v")
}

// atLeast compares minor versions, so that a pre-release of one counts as it.
func atLeast(version, minor string) bool {
	return semver.Compare(semver.MajorMinor(version), minor) >= 0
}

// friendly leaves the digest out of a reference.
func friendly(ref string) string {
	name, _, _ := strings.Cut(ref, "@")
	return name
}

// pullDetail shows a pull's progress, summed up over the layers.
func pullDetail(step *progress.Step) func(engine.PullProgress) {
	layers := map[string]engine.PullProgress{}
	return func(p engine.PullProgress) {
		if p.Layer == "" || p.Total == 0 {
			return
		}
		layers[p.Layer] = p
		var current, total int64
		for _, layer := range layers {
			current, total = current+layer.Current, total+layer.Total
		}
		const mega = 1e6
		step.Detail(fmt.Sprintf("%.0f of %.0f MB", float64(current)/mega, float64(total)/mega))
	}
}
