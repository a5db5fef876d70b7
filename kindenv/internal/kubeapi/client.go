// Package kubeapi asks the few questions about a cluster that tell whether it
// is ready, with plain HTTPS and the certificates of its kubeconfig: the way
// that the user's tests will go, and without the build cost of client-go.
package kubeapi

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

const (
	// requestTimeout bounds one request, so that a hanging server costs one
	// try of a check rather than its whole budget.
	requestTimeout = 5 * time.Second
	// maxBody bounds what is read of an answer.
	maxBody = 64 << 20
	// maxPlain bounds how much of an answer that is not JSON goes into an error.
	maxPlain = 300
)

// ErrNotFound is wrapped by the error of a request for an object, or a kind of
// object, that the cluster does not have.
var ErrNotFound = errors.New("not found")

// Client talks to one API server. It keeps connections open between requests
// and is safe for use by several goroutines.
type Client struct {
	server string
	http   *http.Client
}

// Dial connects to an address, such as 127.0.0.1:6443.
type Dial = func(ctx context.Context, network, address string) (net.Conn, error)

// New returns a client for access. It fails when the certificates can't be
// used; it does not connect. dial makes its connections; nil: as usual.
func New(access kubeconfig.Access, dial Dial) (*Client, error) {
	pair, err := tls.X509KeyPair(access.Cert, access.Key)
	if err != nil {
		return nil, fmt.Errorf("load client certificate for %s: %w", access.Server, err)
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(access.CA) {
		return nil, fmt.Errorf("load certificate authority for %s: no PEM certificate in it", access.Server)
	}
	var protocols http.Protocols
	protocols.SetHTTP1(true) // with HTTP/2, a connection that hangs would be used again after a timeout
	return &Client{
		server: strings.TrimSuffix(access.Server, "/"),
		http: &http.Client{
			Timeout: requestTimeout,
			Transport: &http.Transport{
				Proxy:               http.ProxyFromEnvironment,
				DialContext:         dial,
				Protocols:           &protocols,
				TLSClientConfig:     &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: authorities, MinVersion: tls.VersionTLS12},
				MaxIdleConnsPerHost: 8,
				IdleConnTimeout:     30 * time.Second,
			},
		},
	}, nil
}

// Close drops idle connections. The client can still be used afterwards.
func (c *Client) Close() {
	c.http.CloseIdleConnections()
}

// Get fetches path, such as /api/v1/nodes, and decodes the JSON answer into
// into. The error for status 404 wraps [ErrNotFound].
func (c *Client) Get(ctx context.Context, path string, into any) error {
	body, err := c.fetch(ctx, path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("decode answer of %s: %w", path, err)
	}
	return nil
}

// fetch returns the body of a successful answer.
func (c *Client) fetch(ctx context.Context, path string) ([]byte, error) {
	return c.send(ctx, http.MethodGet, path, "", nil)
}

// send makes a request, with a body unless that is nil.
func (c *Client) send(ctx context.Context, method, path, mediaType string, content []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.server+path, bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("ask %s%s: %w", c.server, path, err)
	}
	request.Header.Set("User-Agent", "magekind")
	if content != nil {
		request.Header.Set("Content-Type", mediaType)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err // says the method, the URL and the cause
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if err != nil {
		return nil, fmt.Errorf("read answer of %s: %w", path, err)
	}
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusCreated {
		return nil, refusal(method, path, response, body)
	}
	return body, nil
}

// refusal makes an error from an answer that is not a success.
func refusal(method, path string, response *http.Response, body []byte) error {
	var status struct {
		Message string `json:"message"`
	}
	text := strings.TrimSpace(string(body))
	if json.Unmarshal(body, &status) == nil && status.Message != "" {
		text = status.Message
	} else if len(text) > maxPlain {
		text = strings.ToValidUTF8(text[:maxPlain], "") + "…"
	}
	method = strings.ToLower(method)
	if response.StatusCode == http.StatusNotFound {
		return fmt.Errorf("%s %s: %w: %s", method, path, ErrNotFound, text)
	}
	return fmt.Errorf("%s %s: %s: %s", method, path, response.Status, text)
}
