package kindenv_test

import (
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/templates"
)

func TestDrift(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.up(w.environment())
		w.up(w.environment())
		if got := w.out.String(); strings.Contains(got, "WARNING") {
			t.Fatalf("warned without a difference:\n%s", got)
		}
		before := w.nodes()[0].ID
		w.up(w.environment(func(cfg *kindenv.Config) {
			cfg.NodeImage = "localhost/node:v1.38.0"
			cfg.Cluster = templates.Cluster{PodSubnet: "10.1.0.0/16"}
		}))
		for _, want := range []string{"another configuration", "node image: the cluster has " + nodeImage, "v1.38.0", "networking.podSubnet", "not set", "10.1.0.0/16", "env:down"} {
			if !strings.Contains(w.out.String(), want) {
				t.Errorf("the output has no %q:\n%s", want, w.out)
			}
		}
		if got := w.nodes()[0].ID; got != before {
			t.Error("the cluster was made anew")
		}
	})
}
