package local

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// registryTimeout bounds the question whether a registry answers: a network
// that drops packets must not cost the minutes that a pull would wait.
const registryTimeout = 4 * time.Second

// registries serve the upstream images of a node and of the cloud provider.
func registries() []string {
	return []string{"https://registry-1.docker.io/v2/", "https://registry.k8s.io/v2/"}
}

// answer returns nil when every URL gives an HTTP response, whatever its
// status: a registry asks for a login before it says more.
func answer(ctx context.Context, urls ...string) error {
	ctx, cancel := context.WithTimeout(ctx, registryTimeout)
	defer cancel()
	errs := make([]error, len(urls))
	var wg sync.WaitGroup
	for i, url := range urls {
		wg.Go(func() { errs[i] = answerOne(ctx, url) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

func answerOne(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return fmt.Errorf("asking %s: %w", url, err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
