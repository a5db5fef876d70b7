package cloudprovider_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestDependencies: which engine it is, and how kind is driven, is decided above this package.
func TestDependencies(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for dependency := range strings.FieldsSeq(string(out)) {
		for _, forbidden := range []string{"github.com/docker/docker/", "sigs.k8s.io/kind/", "github.com/magefile/mage/", "k8s.io/", "github.com/magekind/magekind/kindenv"} {
			if strings.HasPrefix(dependency+"/", forbidden) {
				t.Errorf("it imports %s", dependency)
			}
		}
	}
}
