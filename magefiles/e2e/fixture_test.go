//go:build e2e

package e2e

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/consumer"
)

// files are those of a project whose cluster has the given name, with the
// suite's images and one node unless change says otherwise.
func files(t *testing.T, name string, change func(*consumer.Fixture)) map[string]string {
	t.Helper()
	fixture := consumer.Fixture{
		Name:               name,
		NodeImage:          os.Getenv(nodeImageEnv),
		CloudProviderImage: os.Getenv(cloudProviderImageEnv),
		ExampleImage:       exampleImage(),
	}
	change(&fixture)
	files, err := fixture.Files()
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
