package targets_test

import (
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/targets"
	"github.com/magekind/magekind/templates"
)

// A magefile's init describes the environment of its project.
func ExampleConfigure() {
	targets.Configure(targets.Config{Config: kindenv.Config{
		Cluster:   templates.Cluster{Workers: 2},
		Images:    []string{"localhost/shop:dev"},
		Manifests: []string{"deploy"},
	}})
	// Output:
}
