package kubeconfig

import (
	"errors"
	"fmt"
	"reflect"

	"go.yaml.in/yaml/v3"
)

// errElse is about YAML that is not written as it was read.
var errElse = errors.New("it is written in a way that can't be kept: something else in it would change")

// verify makes sure that nothing else than the entries called name differs
// between two texts of a kubeconfig: YAML has more forms than anyone thinks of.
func verify(before, after []byte, name string) error {
	was, err := elseIn(before, name)
	if err != nil {
		return err
	}
	is, err := elseIn(after, name)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(was, is) {
		return errElse
	}
	return nil
}

// elseIn is what is in a kubeconfig beside the entries called name, the current
// context, and what is added where it is missing.
func elseIn(raw []byte, name string) (map[string]any, error) {
	var doc map[string]any
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return nil, fmt.Errorf("read it whole: %w", err)
	}
	rest := map[string]any{}
	for field, value := range doc {
		rest[field] = value
	}
	for _, added := range []string{"apiVersion", "kind", "current-context"} {
		delete(rest, added)
	}
	for _, section := range sections() {
		list, _ := doc[section].([]any)
		var others []any
		for _, entry := range list {
			if fields, ok := entry.(map[string]any); !ok || fields["name"] != name {
				others = append(others, entry)
			}
		}
		rest[section] = others
	}
	return rest, nil
}
