//go:build integration && linux

package outage_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/magefiles/consumer"
	"github.com/magekind/magekind/templates"
)

// project is an environment on an engine of its own, whose load balancer
// serves a page with the environment's name.
type project struct {
	*kindenv.Environment
	*own
	out *output
}

func newProject(t *testing.T, o *own, name string, workers int) *project {
	t.Helper()
	dir := t.TempDir()
	files, err := consumer.Fixture{
		Name: name, NodeImage: os.Getenv(nodeImageEnv), CloudProviderImage: os.Getenv(cloudProviderImageEnv), ExampleImage: os.Getenv(exampleImageEnv),
	}.Files()
	if err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(dir, "hello.yaml")
	if err := os.WriteFile(manifest, []byte(files["deploy/hello.yaml"]), 0o600); err != nil {
		t.Fatal(err)
	}
	provider := cloudprovider.DefaultConfig()
	provider.Image = os.Getenv(cloudProviderImageEnv)
	p := &project{own: o, out: &output{}}
	p.Environment, err = kindenv.New(kindenv.Config{
		Name: name, Dir: dir, NodeImage: os.Getenv(nodeImageEnv), Cluster: templates.Cluster{Workers: workers}, CloudProvider: provider,
		Images: []string{os.Getenv(exampleImageEnv)}, Manifests: []string{manifest}, Timeout: 10 * time.Minute, Out: p.out,
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *project) up() {
	p.t.Helper()
	began := time.Now()
	if err := p.Up(p.t.Context()); err != nil {
		p.t.Fatalf("Up: %v\n%s", err, p.out)
	}
	p.t.Logf("Up took %s", time.Since(began).Round(100*time.Millisecond))
}

func (p *project) status() kindenv.Status {
	p.t.Helper()
	status, err := p.Status(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return status
}

// down removes the environment, and nothing of it must be left.
func (p *project) down() {
	p.t.Helper()
	if err := p.Down(p.t.Context()); err != nil {
		p.t.Fatalf("Down: %v\n%s", err, p.out)
	}
	if left := p.left(p.Name()); left != "" {
		p.t.Errorf("left after Down: %s", left)
	}
	if _, err := os.Stat(p.Kubeconfig()); !os.IsNotExist(err) {
		p.t.Errorf("the kubeconfig is left (%v)", err)
	}
}

// serves checks that all is ready and well, and that the page comes through the
// load balancer at the address that the Service has.
func (p *project) serves() {
	p.t.Helper()
	// an API server on a busy machine has moments in which it does not call itself ready
	if err := retry.Until(p.t.Context(), 2*time.Minute, p.well); err != nil {
		p.t.Errorf("status after Up: %v", err)
	}
	address := p.docker("exec", p.Name()+"-control-plane", "kubectl", "--kubeconfig=/etc/kubernetes/admin.conf",
		"get", "service", "hello", "-o", "jsonpath={.status.loadBalancer.ingress[0].ip}")
	err := retry.Until(p.t.Context(), time.Minute, func(ctx context.Context) error {
		page, err := get(ctx, "http://"+address)
		if err == nil && !strings.Contains(page, p.Name()) {
			err = fmt.Errorf("%s answers %q, want the page of %s", address, page, p.Name())
		}
		return err
	})
	if err != nil {
		p.t.Errorf("%v\n%s\n%s", err, p.status(), p.out)
	}
}

// well returns an error unless the status is that of an environment where all is well.
func (p *project) well(ctx context.Context) error {
	status, err := p.Status(ctx)
	if err != nil {
		return err
	}
	well := status.API == "ready" && status.Serves && len(status.Warnings) == 0 && status.Merged
	for _, node := range status.Nodes {
		well = well && node.Ready
	}
	if !well {
		return fmt.Errorf("not all is well:\n%s", status)
	}
	return nil
}

// get returns the page at url, on a connection of its own.
func get(ctx context.Context, url string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}
