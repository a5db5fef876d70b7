package docker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/docker/docker/client"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// try opens the engine at c, if one answers in time and is of the kind wanted.
func (s surroundings) try(ctx context.Context, c candidate, kind engine.Kind) (*Engine, error) {
	if c.err != nil {
		return nil, c.err
	}
	limited, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	e, err := s.meet(limited, c, kind)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return nil, s.unanswered(c)
	}
	return e, err
}

// unanswered is the error about an engine that let its time pass.
func (s surroundings) unanswered(c candidate) error {
	text := fmt.Sprintf("no answer within %s", s.patience)
	if strings.HasPrefix(c.host, "tcp:") {
		return errors.New(text) // there may be nobody
	}
	return errors.New(text + ", so it hangs or is overloaded: " + howToRevive(s.goos))
}

func (s surroundings) meet(ctx context.Context, c candidate, kind engine.Kind) (*Engine, error) {
	at, err := parse(c.host)
	if err != nil {
		return nil, err
	}
	api, err := s.connect(c)
	if err != nil {
		return nil, err
	}
	e := &Engine{api: api, limits: s.limits}
	e.endpoint, err = s.ask(ctx, api)
	switch {
	case err != nil:
		// the client's own error does not say why nobody answers
		err = cmp.Or(dial(ctx, at), err)
	case kind != "" && e.endpoint.Kind != kind:
		err = fmt.Errorf("it is %s %s, and %s is wanted", e.endpoint.Kind, e.endpoint.Version, kind)
	}
	if err != nil {
		return nil, errors.Join(err, api.Close())
	}
	return e, nil
}

// parse refuses endpoints that the client can't, or should not, dial.
func parse(host string) (*url.URL, error) {
	at, err := url.Parse(host)
	var invalid *url.Error
	if errors.As(err, &invalid) {
		err = invalid.Err // without the endpoint, which may have a password in it
	}
	if err != nil {
		return nil, fmt.Errorf("not an endpoint such as unix:///var/run/docker.sock: %w", err)
	}
	switch at.Scheme {
	case "unix", "tcp", "npipe":
		return at, nil
	case "ssh":
		return nil, fmt.Errorf("%w: ssh endpoints; forward the socket (ssh -nNT -L /tmp/docker.sock:/var/run/docker.sock %s) "+
			"and set DOCKER_HOST=unix:///tmp/docker.sock", engine.ErrUnsupported, login(at))
	}
	return nil, errors.New("not an endpoint: want unix:///path, tcp://host:port or npipe:////./pipe/name")
}

// login is how ssh is told where to go.
func login(at *url.URL) string {
	if at.User == nil {
		return at.Host
	}
	return at.User.Username() + "@" + at.Host
}

// dial finds out why nobody can be reached; nil when somebody can, or only the client knows how.
func dial(ctx context.Context, at *url.URL) error {
	address := at.Host
	switch at.Scheme {
	case "unix":
		address = at.Path
	case "npipe":
		return nil
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
