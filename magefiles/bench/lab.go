package bench

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/magefiles/consumer"
)

// patience bounds the wait for a load balancer's answer.
const patience = 5 * time.Minute

// lab is what one side works with.
type lab struct {
	root string
	dir  string // of the side's project
	mage string
	env  []string
	consumer.Fixture
}

// sides makes the projects of both and builds what they need beforehand.
func sides(ctx context.Context, opts Options, dir string) (ours, rival side, err error) {
	mage, err := consumer.BuildMage(ctx, opts.Root, dir)
	if err != nil {
		return nil, nil, err
	}
	forSide := func(name string) lab {
		return lab{
			root: opts.Root, dir: filepath.Join(dir, name), mage: mage,
			env: []string{"KUBECONFIG=" + filepath.Join(dir, name, "kubeconfig"), "NO_COLOR=1", "KIND_CLUSTER_NAME="},
			Fixture: consumer.Fixture{
				Name:               fmt.Sprintf("bench-%d-%s", os.Getpid(), name),
				NodeImage:          opts.Images.Node,
				CloudProviderImage: opts.Images.CloudProvider,
				ExampleImage:       opts.Images.Example,
			},
		}
	}
	if ours, err = newOurs(ctx, forSide("ours")); err != nil {
		return nil, nil, err
	}
	rival, err = newByHand(ctx, forSide("rival"))
	return ours, rival, err
}

// provider is the cloud provider's image.
func (l lab) provider() string {
	if l.CloudProviderImage != "" {
		return l.CloudProviderImage
	}
	return cloudprovider.DefaultImage
}

func (l lab) controlPlane() string { return l.Name + "-control-plane" }

// kubectl runs kubectl in the control-plane node.
func (l lab) kubectl(ctx context.Context, stdin string, args ...string) (string, error) {
	args = append([]string{"exec", "-i", l.controlPlane(), "kubectl", "--kubeconfig=/etc/kubernetes/admin.conf"}, args...)
	return command(ctx, l.dir, l.env, stdin, "docker", args...)
}

// answers waits until the Service's load balancer serves a page.
func (l lab) answers(ctx context.Context) error {
	return retry.Until(ctx, patience, func(ctx context.Context) error {
		address, err := l.kubectl(ctx, "", "get", "service", "hello", "-o", "jsonpath={.status.loadBalancer.ingress[0].ip}")
		if err != nil {
			return err
		}
		if address = strings.TrimSpace(address); address == "" {
			return fmt.Errorf("service hello of %s has no address yet", l.Name)
		}
		return page(ctx, "http://"+address)
	})
}

func page(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, resp.Status)
	}
	return nil
}

// build compiles the project's magefile from an empty build cache.
func (l lab) build(ctx context.Context) error {
	cache, err := os.MkdirTemp(filepath.Dir(l.dir), "cache-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cache)
	_, err = l.compileTo(ctx, filepath.Join(cache, "magefile"), "GOCACHE="+cache)
	return err
}

func (l lab) compileTo(ctx context.Context, path string, env ...string) (string, error) {
	env = append(append(env, l.env...), "MAGEFILE_CACHE="+filepath.Join(l.dir, "magefile-cache"))
	return command(ctx, l.dir, env, "", l.mage, "-compile", path)
}
