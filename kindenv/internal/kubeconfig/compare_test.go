//go:build unix

package kubeconfig_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// foreign parses a kubeconfig as kubectl does, and leaves out what is of kind's clusters.
func foreign(t *testing.T, path string) map[string]any {
	t.Helper()
	var all map[string]any
	if err := yaml.Unmarshal([]byte(read(t, path)), &all); err != nil {
		t.Fatalf("%v:\n%s", err, read(t, path))
	}
	for _, section := range []string{"clusters", "contexts", "users"} {
		var rest []any
		list, _ := all[section].([]any)
		for _, entry := range list {
			if name, _ := entry.(map[string]any)["name"].(string); !strings.HasPrefix(name, "kind-") {
				rest = append(rest, entry)
			}
		}
		all[section] = rest
	}
	delete(all, "current-context") // it is switched, as kind does
	return all
}

func same(t *testing.T, got, want map[string]any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got, without kind's entries\n%v\nwant\n%v", got, want)
	}
}

func fileNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}
