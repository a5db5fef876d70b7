package kindenv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/magekind/magekind/kindenv/internal/kubeapi"
)

// recordName is the ConfigMap, in kube-system, that says what the cluster was made from.
const recordName = "magekind"

// recipe is what a cluster is made from: kind's fields and the node image, each
// with its value in JSON, so that two can be compared field by field.
type recipe map[string]string

// recipe returns what the configuration asks for.
func (e *Environment) recipe() (recipe, error) {
	var config map[string]any
	if err := yaml.Unmarshal(e.config, &config); err != nil {
		return nil, err
	}
	for _, identity := range []string{"kind", "apiVersion", "name"} {
		delete(config, identity)
	}
	r := recipe{}
	r.flatten("", config)
	if image := e.nodeImage(); image != "" {
		r["node image"] = image
	}
	return r, nil
}

// flatten adds the leaves of value, named by their paths.
func (r recipe) flatten(path string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			r.flatten(strings.TrimPrefix(path+"."+key, "."), inner)
		}
	case []any:
		for i, inner := range value {
			r.flatten(fmt.Sprintf("%s[%d]", path, i), inner)
		}
	default:
		if content, ok := value.(string); ok && patch.MatchString(path) {
			value = "sha256:" + digest(content) // it may hold a registry's password, and many can read the record
		}
		text, _ := json.Marshal(value) // of a scalar: it can't fail
		r[path] = string(text)
	}
}

// patch matches the paths of patches, which are told apart by their digests only.
var patch = regexp.MustCompile(`[Pp]atch`)

// differences says, field by field, how the cluster's recipe differs from the wanted one.
func (r recipe) differences(wanted recipe) []string {
	all := maps.Clone(r)
	maps.Copy(all, wanted)
	var found []string
	for _, field := range slices.Sorted(maps.Keys(all)) {
		was, now := or(r[field], "not set"), or(wanted[field], "not set")
		if was != now {
			found = append(found, fmt.Sprintf("%s: the cluster has %s, the configuration says %s", field, was, now))
		}
	}
	return found
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

// drift records what a cluster made now was made from, or says what differs
// from the record of one that was there. It changes no cluster.
func (s *session) drift(ctx context.Context, all nodes) error {
	wanted, err := s.recipe()
	if err != nil {
		return err
	}
	if s.made {
		return s.record(ctx, wanted)
	}
	was, err := s.recorded(ctx)
	if err != nil || was == nil {
		return nil // a cluster without a record can't be compared; readiness tells of an API server that fails
	}
	if changes := was.differences(wanted); len(changes) > 0 {
		s.console.Warn(fmt.Sprintf("Cluster %q was made from another configuration and stays as it is; env:down and then env:up make it anew:\n  %s",
			s.name, strings.Join(changes, "\n  ")))
	} else if has, wants := all.kubernetes(), s.shape.ControlPlanes+s.shape.Workers; has < wants {
		s.console.Warn(fmt.Sprintf("Cluster %q has %d of the %d nodes that it was made with, and stays as it is; env:down and then env:up make it anew", s.name, has, wants))
	}
	return nil
}

func (s *session) record(ctx context.Context, made recipe) error {
	text, err := json.Marshal(made)
	if err != nil {
		return err
	}
	object, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": recordName, "namespace": "kube-system"},
		"data":     map[string]string{"recipe": string(text)},
	})
	if err != nil {
		return err
	}
	if err := s.api.Create(ctx, "/api/v1/namespaces/kube-system/configmaps", object); err != nil {
		return fmt.Errorf("record what the cluster was made from: %w", err)
	}
	return nil
}

// recorded reads the record; nil when there is none.
func (s *session) recorded(ctx context.Context) (recipe, error) {
	var object struct {
		Data map[string]string `json:"data"`
	}
	err := s.api.Get(ctx, "/api/v1/namespaces/kube-system/configmaps/"+recordName, &object)
	if errors.Is(err, kubeapi.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var was recipe
	err = json.Unmarshal([]byte(object.Data["recipe"]), &was)
	return was, err
}
