package engine_test

import (
	"context"
	"fmt"
	"os"

	"github.com/magekind/magekind/magefiles/engine"
)

// A command that needs an engine makes sure of one first, and points what it starts to it.
func ExampleEnsure() {
	choice, err := engine.Ensure(context.Background(), engine.Options{Out: os.Stderr})
	if err != nil {
		fmt.Println(err)
		return
	}
	if choice.Own {
		os.Setenv("DOCKER_HOST", choice.Host)
	}
}

// Stopping an engine that does not run is no error.
func ExampleStop() {
	dir, err := os.MkdirTemp("", "engine-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	err = engine.Stop(context.Background(), engine.Options{Out: os.Stdout, Dir: dir + "/engine", RunDir: dir + "/run"})
	if err != nil {
		fmt.Println(err)
	}
	// Output: no engine of our own runs
}
