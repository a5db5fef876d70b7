package engine

import (
	"context"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// TEMPORARY: by the CLI
func open(ctx context.Context, host string) (engine.Endpoint, error) {
	v, err := output(docker(ctx, host, "version", "--format", "{{.Server.Version}}"))
	if err != nil {
		return engine.Endpoint{}, err
	}
	if host == "" {
		host = "unix:///var/run/docker.sock"
	}
	return engine.Endpoint{Host: host, Kind: engine.Docker, Version: strings.TrimSpace(v)}, nil
}
