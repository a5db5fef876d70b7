//go:build integration

package kindenv_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/kindenv"
)

// mends has up make all well: nothing to warn of, and the Service serves.
func (r *real) mends(t *testing.T, env *kindenv.Environment) {
	t.Helper()
	if err := env.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	status, err := env.Status(t.Context())
	if err != nil || !status.Serves || len(status.Warnings) > 0 {
		t.Errorf("Status = %v, %v; want it serving, without a warning", status, err)
	}
	r.assertServes(t)
}

// reach waits until the status says what is wrong with the cloud provider, and that something is to be done.
func (r *real) reach(t *testing.T, trouble string) {
	t.Helper()
	err := retry.Until(t.Context(), time.Minute, func(ctx context.Context) error {
		status, err := r.Status(ctx)
		if err == nil && !(strings.Contains(status.CloudProvider, trouble) && len(status.Warnings) > 0) {
			err = fmt.Errorf("the status is\n%s", status)
		}
		return err
	})
	if err != nil {
		t.Errorf("no word of %q: %v", trouble, err)
	}
}

func (r *real) assertServes(t *testing.T) {
	t.Helper()
	err := retry.Until(t.Context(), 2*time.Minute, func(ctx context.Context) error {
		found, err := r.LoadBalancers(ctx)
		if err == nil && len(found) != 1 {
			err = fmt.Errorf("load balancers: %+v, want one", found)
		}
		if err != nil {
			return err
		}
		return get(ctx, found[0])
	})
	if err != nil {
		t.Error(err)
	}
}

// balancer is the Service's.
func (r *real) balancer(t *testing.T) cloudprovider.LoadBalancer {
	t.Helper()
	found, err := r.LoadBalancers(t.Context())
	if err != nil || len(found) != 1 {
		t.Fatalf("LoadBalancers = %+v, %v; want one", found, err)
	}
	return found[0]
}

// get asks for the page behind a load balancer.
func get(ctx context.Context, balancer cloudprovider.LoadBalancer) error {
	if len(balancer.Addresses) == 0 {
		return errors.New("it has no address")
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+balancer.Addresses[0].String(), nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if page, err := io.ReadAll(response.Body); err != nil || !strings.Contains(string(page), "hello") {
		return fmt.Errorf("%s answers %s %q, %w", request.URL, response.Status, page, err)
	}
	return nil
}

// put makes a container that looks like a load balancer of the cluster.
func (r *real) put(t *testing.T, prefix, label string) string {
	t.Helper()
	id, err := r.engine.Create(t.Context(), engine.Spec{
		Name: prefix + r.Name(), Image: r.config.CloudProvider.Image,
		Labels: map[string]string{cloudprovider.LabelCluster: r.Name(), label: r.Name() + "/default/stale"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (r *real) id(t *testing.T, suffix string) string {
	t.Helper()
	return r.docker(t, "inspect", "-f", "{{.Id}}", r.Name()+suffix)
}

func (r *real) docker(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "docker", args...)
	cmd.Env = append(os.Environ(), "DOCKER_HOST="+r.engine.Endpoint().Host)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("docker %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}
