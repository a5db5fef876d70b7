//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"github.com/magekind/magekind/magefiles/consumer"
)

// TestRefused has images that are not what they should be. The error says which
// one and why, and nothing is left behind.
func TestRefused(t *testing.T) {
	t.Parallel()
	const absent = "localhost/magekind/absent:1"
	tests := []struct {
		name    string
		fixture func(*consumer.Fixture)
		want    []string
	}{
		{
			"no node image", func(f *consumer.Fixture) { f.NodeImage = absent },
			[]string{absent, "pull", "NodeImage"},
		},
		{
			"no cloud provider image", func(f *consumer.Fixture) { f.CloudProviderImage = absent },
			[]string{absent, "pull", "ResolveImage"},
		},
		{
			"no image to load", func(f *consumer.Fixture) { f.ExampleImage = absent },
			[]string{absent},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newProjectWith(t, tt.fixture)
			out, err := p.try("env:up")
			if code := exitCode(err); code != 1 {
				t.Errorf("env:up exits with %d; want 1", code)
			}
			for _, want := range tt.want {
				if !strings.Contains(out, want) {
					t.Errorf("the error lacks %q:\n%s", want, out)
				}
			}
			p.mage("env:down")
			p.assertGone()
		})
	}
}
