//go:build e2e

package e2e

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/consumer"
)

// files are those of a project whose cluster has the given name.
func files(t *testing.T, name string, workers int) map[string]string {
	t.Helper()
	files, err := consumer.Fixture{
		Name:               name,
		NodeImage:          os.Getenv(nodeImageEnv),
		CloudProviderImage: os.Getenv(cloudProviderImageEnv),
		ExampleImage:       exampleImage(),
		Workers:            workers,
	}.Files()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func exampleImage() string { return os.Getenv(exampleImageEnv) }

// cleanup is a context for work after the test's own has ended.
func cleanup(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	time.AfterFunc(time.Minute, cancel)
	return ctx
}
