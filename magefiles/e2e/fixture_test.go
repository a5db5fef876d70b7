//go:build e2e

package e2e

import (
	"bytes"
	"context"
	_ "embed"
	"os"
	"testing"
	"text/template"
	"time"
)

//go:embed testdata/magefile.go.tmpl
var magefileText string

//go:embed testdata/hello.yaml.tmpl
var manifestText string

type fixture struct {
	Name, NodeImage, CloudProviderImage, ExampleImage string
	Workers                                           int
}

func magefile(name string, workers int) string {
	return render(magefileText, fixture{
		Name:               name,
		NodeImage:          os.Getenv(nodeImageEnv),
		CloudProviderImage: os.Getenv(cloudProviderImageEnv),
		ExampleImage:       exampleImage(),
		Workers:            workers,
	})
}

func manifest(name string) string {
	return render(manifestText, fixture{Name: name, ExampleImage: exampleImage()})
}

func exampleImage() string { return os.Getenv(exampleImageEnv) }

func render(text string, data fixture) string {
	var out bytes.Buffer
	t := template.Must(template.New("fixture").Option("missingkey=error").Parse(text))
	if err := t.Execute(&out, data); err != nil {
		panic(err) // the fixtures are part of the suite
	}
	return out.String()
}

// cleanup is a context for work after the test's own has ended.
func cleanup(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	time.AfterFunc(time.Minute, cancel)
	return ctx
}
