package docker_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

func ExampleOpen() {
	eng, err := docker.Open(context.Background(), docker.Options{Host: "unix:///nowhere/docker.sock"})
	if errors.Is(err, engine.ErrUnavailable) {
		fmt.Println("no engine there; err says what was tried and how to start one")
		return
	}
	defer eng.Close()
	fmt.Println(eng.Endpoint().Kind)
	// Output: no engine there; err says what was tried and how to start one
}
