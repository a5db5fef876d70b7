package consumer

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"
)

//go:embed fixture/magefile.go.tmpl
var magefileText string

//go:embed fixture/hello.yaml.tmpl
var manifestText string

// Fixture describes the environment of a project whose load balancer serves a
// page that contains the project's name.
type Fixture struct {
	// Name is the cluster's.
	Name string
	// NodeImage and CloudProviderImage may be empty, for the defaults.
	NodeImage, CloudProviderImage string
	// ExampleImage serves the page; it is loaded into the nodes.
	ExampleImage string
	// Workers is the number of nodes beside the control plane.
	Workers int
	// KubeadmPatch changes kubeadm's configuration; may be empty.
	KubeadmPatch string
}

// Files returns the project's magefile.go and its manifest, deploy/hello.yaml,
// by path.
func (f Fixture) Files() (map[string]string, error) {
	files := map[string]string{}
	for path, text := range map[string]string{"magefile.go": magefileText, "deploy/hello.yaml": manifestText} {
		rendered, err := f.render(path, text)
		if err != nil {
			return nil, err
		}
		files[path] = rendered
	}
	return files, nil
}

func (f Fixture) render(path, text string) (string, error) {
	parsed, err := template.New(path).Option("missingkey=error").Parse(text)
	if err != nil {
		return "", fmt.Errorf("parsing the template of %q: %w", path, err)
	}
	var out strings.Builder
	if err := parsed.Execute(&out, f); err != nil {
		return "", fmt.Errorf("rendering %q: %w", path, err)
	}
	return out.String(), nil
}
