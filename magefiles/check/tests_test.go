package check

import (
	"io"
	"slices"
	"testing"

	"github.com/magekind/magekind/magefiles/consumer"
)

func TestIntegratedFindsWhatNeedsAnEngine(t *testing.T) {
	t.Parallel()
	root, err := consumer.Root()
	if err != nil {
		t.Fatal(err)
	}
	packages, err := integrated(t.Context(), io.Discard, root)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"/cloudprovider", "/cloudprovider/engine/docker", "/kindenv"} {
		if !slices.Contains(packages, consumer.Module+want) {
			t.Errorf("integrated() = %q; want it to contain %s", packages, consumer.Module+want)
		}
	}
	if slices.Contains(packages, consumer.Module+"/templates") {
		t.Error("integrated() contains templates, whose tests need no engine")
	}
}
