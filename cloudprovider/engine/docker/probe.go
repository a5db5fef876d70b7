package docker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/docker/docker/client"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// patience is how long an engine may take to say that it is there.
const patience = 10 * time.Second

// try opens the engine at c, if one answers in time and is of the kind wanted.
func (s surroundings) try(ctx context.Context, c candidate, kind engine.Kind) (*Engine, error) {
	if c.err != nil {
		return nil, c.err
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	e, err := s.meet(limited, c, kind)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return nil, fmt.Errorf("no answer within %s", patience)
	}
	return e, err
}

func (s surroundings) meet(ctx context.Context, c candidate, kind engine.Kind) (*Engine, error) {
	if err := dial(ctx, c.host); err != nil {
		return nil, err
	}
	api, err := s.connect(c)
	if err != nil {
		return nil, err
	}
	e := &Engine{api: api}
	if e.endpoint, err = s.ask(ctx, api); err == nil && kind != "" && e.endpoint.Kind != kind {
		err = fmt.Errorf("it is %s %s, and %s is wanted", e.endpoint.Kind, e.endpoint.Version, kind)
	}
	if err != nil {
		return nil, errors.Join(err, api.Close())
	}
	return e, nil
}

// dial finds out whether somebody listens at host. The client's own error
// would not say why nobody does.
func dial(ctx context.Context, host string) error {
	at, err := url.Parse(host)
	if err != nil {
		return fmt.Errorf("not an endpoint such as unix:///var/run/docker.sock: %w", err)
	}
	address := at.Host
	switch at.Scheme {
	case "unix":
		address = at.Path
	case "tcp":
	case "npipe":
		return nil // only the client knows how
	case "ssh":
		return fmt.Errorf("%w: ssh endpoints; forward the socket (ssh -nNT -L /tmp/docker.sock:/var/run/docker.sock %s) "+
			"and set DOCKER_HOST=unix:///tmp/docker.sock", engine.ErrUnsupported, address)
	default:
		return fmt.Errorf("not an endpoint: want unix:///path, tcp://host:port or npipe:////./pipe/name")
	}
	conn, err := new(net.Dialer).DialContext(ctx, at.Scheme, address)
	var cause *os.SyscallError
	switch {
	case errors.As(err, &cause):
		return cause.Err
	case err != nil:
		return err
	}
	return conn.Close()
}

func (s surroundings) connect(c candidate) (*client.Client, error) {
	opts := []client.Opt{
		client.WithHost(c.host), client.WithAPIVersionNegotiation(), client.WithVersion(s.getenv(client.EnvOverrideAPIVersion)),
	}
	if c.tls != nil && strings.HasPrefix(c.host, "tcp:") {
		cfg, err := c.tls.load()
		if err != nil {
			return nil, err
		}
		// before the host, which sets up the transport for itself
		opts = append([]client.Opt{client.WithHTTPClient(&http.Client{
			Transport: &http.Transport{TLSClientConfig: cfg}, CheckRedirect: client.CheckRedirect,
		})}, opts...)
	}
	return client.NewClientWithOpts(opts...)
}
