package kindenv

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/magekind/magekind/kindenv/internal/kubeapi"
)

// lastApplied is where kubectl keeps what an object was applied from.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// object is a Kubernetes object of any kind, as JSON has it.
type object = map[string]any

// applied reports whether every object of the manifests is in the cluster and
// was last applied from just this. In doubt it says no, since applying again is right too.
func (s *session) applied(ctx context.Context, manifests []manifest) bool {
	if s.api == nil {
		return false
	}
	c := comparison{api: s.api, resources: map[string][]resource{}}
	for _, m := range manifests {
		if isURL(m.path) || !c.holds(ctx, m.text) {
			return false
		}
	}
	return true
}

// comparison compares manifests with what is in a cluster.
type comparison struct {
	api       *kubeapi.Client
	resources map[string][]resource // by API version
}

type resource struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	Namespaced bool   `json:"namespaced"`
}

func (c *comparison) holds(ctx context.Context, text string) bool {
	for _, document := range regexp.MustCompile(`(?m)^---.*$`).Split(text, -1) {
		var wanted object
		if err := yaml.Unmarshal([]byte(document), &wanted); err != nil {
			return false
		}
		if len(wanted) > 0 && !c.same(ctx, wanted) {
			return false
		}
	}
	return true
}

// same compares one object.
func (c *comparison) same(ctx context.Context, wanted object) bool {
	meta, ok := wanted["metadata"].(object)
	if !ok {
		return false
	}
	path, ok := c.path(ctx, wanted, meta)
	if !ok {
		return false
	}
	var there struct {
		Metadata struct {
			Annotations       map[string]string `json:"annotations"`
			DeletionTimestamp string            `json:"deletionTimestamp"`
		} `json:"metadata"`
	}
	if c.api.Get(ctx, path, &there) != nil || there.Metadata.DeletionTimestamp != "" {
		return false
	}
	var was object
	if json.Unmarshal([]byte(there.Metadata.Annotations[lastApplied]), &was) != nil {
		return false
	}
	tidy(was)
	tidy(wanted)
	return reflect.DeepEqual(was, wanted)
}

// path is the object's, and ok is false when that can't be told. It fills the namespace in, as kubectl does.
func (c *comparison) path(ctx context.Context, wanted, meta object) (path string, ok bool) {
	version, _ := wanted["apiVersion"].(string)
	name, _ := meta["name"].(string)
	prefix := "/apis/" + version
	if !strings.Contains(version, "/") {
		prefix = "/api/" + version
	}
	for _, r := range c.served(ctx, prefix) {
		if r.Kind != wanted["kind"] || strings.Contains(r.Name, "/") || name == "" {
			continue
		}
		if !r.Namespaced {
			return fmt.Sprintf("%s/%s/%s", prefix, r.Name, name), true
		}
		namespace, _ := meta["namespace"].(string)
		meta["namespace"] = or(namespace, "default")
		return fmt.Sprintf("%s/namespaces/%s/%s/%s", prefix, meta["namespace"], r.Name, name), true
	}
	return "", false
}

// served lists the resources of an API version; none when it is not served.
func (c *comparison) served(ctx context.Context, prefix string) []resource {
	if known, ok := c.resources[prefix]; ok {
		return known
	}
	var list struct {
		Resources []resource `json:"resources"`
	}
	if c.api.Get(ctx, prefix, &list) != nil {
		return nil
	}
	c.resources[prefix] = list.Resources
	return list.Resources
}

// tidy removes the difference that kubectl makes: an empty map of annotations.
func tidy(o object) {
	meta, ok := o["metadata"].(object)
	if !ok {
		return
	}
	if annotations, ok := meta["annotations"].(object); ok && len(annotations) == 0 || meta["annotations"] == nil {
		delete(meta, "annotations")
	}
}
