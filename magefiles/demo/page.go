package demo

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// oneTry bounds one attempt to get a page, so that an address which cannot be
// reached from here does not use up the time of the others.
const oneTry = 3 * time.Second

// get returns the page at url, which must come with status 200.
func get(ctx context.Context, url string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, oneTry)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", fmt.Errorf("getting %s: %w", url, err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", url, err)
	}
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("getting %s: %s", url, resp.Status)
	}
	return string(body), nil
}
