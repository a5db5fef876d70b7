//go:build mage

package main

import (
	"github.com/magekind/magekind/kindenv"
)

// exampleConfig is the environment of the example project.
func exampleConfig() kindenv.Config {
	return kindenv.Config{Dir: "examples/loadbalancer"}
}
