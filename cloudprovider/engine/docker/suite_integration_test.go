//go:build integration

package docker_test

import (
	"context"
	"crypto/rand"
	"os"
	"strings"
	"testing"

	"github.com/docker/docker/api/types/network"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// testHost is the engine to examine: MAGEKIND_TEST_HOST (such as Podman's
// unix:///run/podman/podman.sock), or the one that Open finds.
func testHost() docker.Options {
	return docker.Options{Host: os.Getenv("MAGEKIND_TEST_HOST")}
}

func open(t *testing.T) *docker.Engine {
	t.Helper()
	e, err := docker.Open(t.Context(), testHost())
	check(t, err)
	t.Cleanup(func() { check(t, e.Close()) })
	return e
}

func TestEngineKeepsTheContract(t *testing.T) {
	t.Parallel()
	e := open(t)
	image, net := suiteImage(t, e), suiteNetwork(t, e)
	enginetest.Run(t, func(*testing.T) enginetest.Subject {
		return enginetest.Subject{Engine: e, Image: image, Program: programPath, Network: net}
	})
}

// suiteNetwork makes a network that lasts as long as the test.
func suiteNetwork(t *testing.T, e *docker.Engine) string {
	t.Helper()
	name := "magekind-contract-" + strings.ToLower(rand.Text()[:12])
	made, err := e.API().NetworkCreate(t.Context(), name, network.CreateOptions{Driver: "bridge"})
	check(t, err)
	t.Cleanup(func() { check(t, e.API().NetworkRemove(context.Background(), made.ID)) })
	return name
}
