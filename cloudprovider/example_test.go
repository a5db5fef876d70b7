package cloudprovider_test

import (
	"context"
	"fmt"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// A cloud provider for the kind cluster "demo", on an engine in memory.
// Package docker opens a real one.
func ExampleNew() {
	eng := enginetest.NewFake()
	eng.AddNetwork("kind")
	eng.AddImage(cloudprovider.DefaultImage)
	eng.AddImage("docker.io/envoyproxy/envoy:v1.33.2")
	eng.Script(func(spec engine.Spec) enginetest.Behaviour {
		if spec.Command[0] == "list-images" {
			done := 0
			return enginetest.Behaviour{Logs: []string{"docker.io/envoyproxy/envoy:v1.33.2"}, Exit: &done}
		}
		return enginetest.Behaviour{Logs: []string{`"Starting cloud controller" cluster="demo"`}}
	})

	cfg := cloudprovider.DefaultConfig()
	cfg.ClusterName = "demo"
	controller := cloudprovider.New(eng, cfg)

	ctx := context.Background()
	if err := controller.Start(ctx); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("running:", controller.Running(ctx), "attached:", controller.Attached(ctx) == nil)
	if err := controller.Stop(ctx); err != nil {
		fmt.Println(err)
	}
	fmt.Println("running:", controller.Running(ctx))
	// Output:
	// running: true attached: true
	// running: false
}

func ExampleDefaultConfig() {
	cfg := cloudprovider.DefaultConfig()
	cfg.GatewayChannel = "beta"
	fmt.Println(cfg.Validate())
	// Output: invalid GatewayChannel "beta": allowed are "standard", "experimental", "disabled"
}
