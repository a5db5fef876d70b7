package consumer_test

import (
	"go/format"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/magekind/magekind/magefiles/consumer"
)

func TestFixtureFiles(t *testing.T) {
	t.Parallel()
	full := consumer.Fixture{
		Name: "shop", NodeImage: "node:1", CloudProviderImage: "provider:1", ExampleImage: "hello:1", Workers: 2,
	}
	tests := map[string]struct {
		fixture consumer.Fixture
		want    []string
		wantNot string
	}{
		"everything": {full, []string{`"shop"`, `"node:1"`, `provider.Image = "provider:1"`, "Workers: 2"}, "%!"},
		"defaults":   {consumer.Fixture{Name: "shop", ExampleImage: "hello:1"}, []string{`NodeImage:     ""`}, "provider.Image"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files, err := tt.fixture.Files()
			if err != nil {
				t.Fatal(err)
			}
			magefile := files["magefile.go"]
			if _, err := format.Source([]byte(magefile)); err != nil {
				t.Errorf("the magefile is not Go: %v\n%s", err, magefile)
			}
			for _, want := range tt.want {
				if !strings.Contains(magefile, want) {
					t.Errorf("the magefile lacks %q:\n%s", want, magefile)
				}
			}
			if strings.Contains(magefile, tt.wantNot) {
				t.Errorf("the magefile contains %q:\n%s", tt.wantNot, magefile)
			}
			for _, doc := range strings.Split(files["deploy/hello.yaml"], "\n---\n") {
				var object map[string]any
				if err := yaml.Unmarshal([]byte(doc), &object); err != nil || object["kind"] == nil {
					t.Errorf("not an object: %v\n%s", err, doc)
				}
			}
		})
	}
}
