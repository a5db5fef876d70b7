// Package kube speaks to a Kubernetes API server over plain HTTP, as much of it
// as the stand-in needs.
package kube

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// The answers that callers tell apart.
var (
	// ErrNotFound: there is no such object, or no such kind of object (yet).
	ErrNotFound = errors.New("not found")
	// ErrConflict: the object is there already, or has changed since it was read.
	ErrConflict = errors.New("conflict")
)

// patience bounds one request, watches apart.
const patience = 30 * time.Second

// Client asks one API server.
type Client struct {
	base string
	http *http.Client
}

// Server returns the API server's address.
func (c *Client) Server() string { return c.base }

// Close closes the idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Get reads the object at path into into; nil only asks whether it is there.
func (c *Client) Get(ctx context.Context, path string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	body, err := c.do(ctx, http.MethodGet, path, "", nil)
	if err != nil || into == nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("reading the answer to GET %s: %w", path, err)
	}
	return nil
}

// Create posts an object, in JSON or YAML, to a collection.
func (c *Client) Create(ctx context.Context, path string, object []byte) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := c.do(ctx, http.MethodPost, path, "application/yaml", object)
	return err
}

// Patch merges change, marshalled, into the object at path.
func (c *Client) Patch(ctx context.Context, path string, change any) error {
	body, err := json.Marshal(change)
	if err != nil {
		return fmt.Errorf("writing the patch for %s: %w", path, err)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err = c.do(ctx, http.MethodPatch, path, "application/merge-patch+json", body)
	return err
}

// Watch calls changed for each event of a collection, until the server ends
// the watch, which it does every few minutes, or ctx is done.
func (c *Client) Watch(ctx context.Context, path string, changed func()) error {
	response, err := c.send(ctx, http.MethodGet, path, "", nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	events := json.NewDecoder(response.Body)
	for {
		var event struct {
			Type string `json:"type"`
		}
		if err := events.Decode(&event); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("watching %s: %w", path, err)
		}
		changed()
		if event.Type == "ERROR" {
			return nil
		}
	}
}

func (c *Client) do(ctx context.Context, method, path, contentType string, body []byte) ([]byte, error) {
	response, err := c.send(ctx, method, path, contentType, body)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return answer, nil
}

// send returns a response only of a successful request; its body must be closed.
func (c *Client) send(ctx context.Context, method, path, contentType string, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "magekind-standin")
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode < 300 {
		return response, nil
	}
	defer response.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(response.Body, 512))
	return nil, refusal(response.StatusCode, method, path, said)
}

func refusal(code int, method, path string, said []byte) error {
	var class error
	switch code {
	case http.StatusNotFound:
		class = ErrNotFound
	case http.StatusConflict:
		class = ErrConflict
	default:
		class = errors.New(http.StatusText(code))
	}
	return fmt.Errorf("%s %s: %w: %s", method, path, class, bytes.TrimSpace(said))
}
