//go:build e2e

// Package e2e tests the service as its users meet it: through its load
// balancer, in an environment that `mage env:up` has made.
package e2e

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv"
)

// patience is how long the load balancer may take to serve the page, counted
// from the start of the test: `mage env:up` returns when it has an address.
const patience = time.Minute

func TestLoadBalancerServesThePage(t *testing.T) {
	env, err := kindenv.New(kindenv.Config{Dir: ".."}) // named after the project, as in the magefile
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	page, err := visit(ctx, env)
	if err != nil {
		t.Fatalf("%v (is the environment up? `go tool mage env:up`)", err)
	}
	if want := "Hello from hello-"; !strings.HasPrefix(page, want) {
		t.Errorf("got page %q, want it to start with %q", page, want)
	}
}

// visit returns the first page that the Service's load balancer serves.
func visit(ctx context.Context, env *kindenv.Environment) (page string, err error) {
	for {
		var urls []string
		urls, err = addresses(ctx, env)
		for _, url := range urls {
			if page, err = get(ctx, url); err == nil {
				return page, nil
			}
		}
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("waiting for the page: %w", err)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func get(ctx context.Context, url string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answered %s", url, response.Status)
	}
	return string(body), err
}
