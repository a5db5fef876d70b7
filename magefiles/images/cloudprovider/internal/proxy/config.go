// Package proxy is the load balancer of one Service: it listens on the
// Service's ports and forwards each TCP connection to a node's port.
package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Config is what a proxy forwards.
type Config struct {
	Listen []Listen `json:"listen"`
	// Nodes are the addresses to forward to, in turn.
	Nodes []string `json:"nodes"`
}

// Listen is one port of the Service and where its nodes serve it.
type Listen struct {
	Port     int `json:"port"`
	NodePort int `json:"nodePort"`
}

// Env is the environment variable with the configuration, in JSON, that a proxy starts with.
const Env = "STANDIN_PROXY_CONFIG"

const (
	// control is where a running proxy takes a new configuration: a socket
	// without a file, that only its own container can reach.
	control = "@magekind-standin-proxy"
	// saved is where the last configuration given is kept, for the time after a restart.
	saved = "/var/lib/magekind-standin/proxy.json"
)

// Configure hands the JSON from in to the proxy that runs in this container,
// and returns once it listens accordingly.
func Configure(ctx context.Context, in io.Reader) error {
	raw, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("reading the configuration: %w", err)
	}
	return send(ctx, control, raw)
}

func send(ctx context.Context, address string, raw []byte) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", address)
	if err != nil {
		return fmt.Errorf("reaching the proxy: %w", err)
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline)
	}
	if _, err := conn.Write(raw); err != nil {
		return fmt.Errorf("handing over the configuration: %w", err)
	}
	if half, ok := conn.(*net.UnixConn); ok {
		_ = half.CloseWrite()
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		return fmt.Errorf("waiting for the proxy's answer: %w", err)
	}
	if len(answer) > 0 {
		return errors.New(string(answer))
	}
	return nil
}

func parse(raw []byte) (Config, error) {
	var c Config
	if err := json.Unmarshal(raw, &c); err != nil {
		return Config{}, fmt.Errorf("reading the configuration: %w", err)
	}
	return c, nil
}

// load returns the configuration last saved, else the one of the environment.
func load(file, env string) (Config, error) {
	raw, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		raw, err = []byte(env), nil
	}
	if err != nil {
		return Config{}, fmt.Errorf("reading the saved configuration: %w", err)
	}
	return parse(raw)
}

func save(file string, raw []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("saving the configuration: %w", err)
	}
	if err := os.WriteFile(file+".new", raw, 0o600); err != nil {
		return fmt.Errorf("saving the configuration: %w", err)
	}
	return os.Rename(file+".new", file)
}
