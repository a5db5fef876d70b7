//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/magekind/magekind/magefiles/consumer"
)

// The suite is told by its environment which images to use. Node and cloud
// provider may be empty: then the defaults, which are upstream's, are used.
const (
	nodeImageEnv          = "MAGEKIND_E2E_NODE_IMAGE"
	cloudProviderImageEnv = "MAGEKIND_E2E_CLOUD_PROVIDER_IMAGE"
	exampleImageEnv       = "MAGEKIND_E2E_EXAMPLE_IMAGE"
)

// suite is what all cases share; paths are set once, before the first of them.
type suite struct {
	root string // working tree of the module
	mage string // the mage binary
	made made
}

var shared suite

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if os.Getenv(exampleImageEnv) == "" {
		fmt.Fprintf(os.Stderr, "%s is not set: run `go tool mage check:e2e`, which prepares the images\n", exampleImageEnv)
		return 1
	}
	dir, err := os.MkdirTemp("", "magekind-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if shared.root, err = consumer.Root(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if shared.mage, err = consumer.BuildMage(context.Background(), shared.root, dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	shared.made.onInterrupt()
	return m.Run()
}
