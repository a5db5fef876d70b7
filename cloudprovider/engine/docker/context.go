package docker

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cpuguy83/dockercfg"
)

// defaultContext is the docker command's name for no context.
const defaultContext = "default"

// context returns the endpoint of the current docker context, if one is set.
// It reads the docker command's own store, since asking that command costs a
// process per call; the rules are the same.
func (s surroundings) context() (candidate, bool) {
	name, source, err := s.currentContext()
	if err != nil {
		return candidate{source: source, err: err}, true
	}
	if name == "" || name == defaultContext {
		return candidate{}, false
	}
	c := candidate{source: fmt.Sprintf("docker context %q, from %s", name, source)}
	c.host, c.tls, c.err = s.contextEndpoint(name)
	return c, true
}

// currentContext returns the name of the current context and where it is set.
func (s surroundings) currentContext() (name, source string, err error) {
	if name := s.getenv("DOCKER_CONTEXT"); name != "" {
		return name, "DOCKER_CONTEXT", nil
	}
	path := filepath.Join(s.configDir(), "config.json")
	var cfg dockercfg.Config
	err = dockercfg.FromFile(path, &cfg)
	if errors.Is(err, fs.ErrNotExist) {
		return "", path, nil
	}
	return cfg.CurrentContext, path, err
}

// contextEndpoint reads a context's endpoint from the store: one folder per
// context, named by the hash of the context's name.
func (s surroundings) contextEndpoint(name string) (string, *tlsFiles, error) {
	sum := sha256.Sum256([]byte(name))
	store, id := filepath.Join(s.configDir(), "contexts"), hex.EncodeToString(sum[:])
	raw, err := os.ReadFile(filepath.Join(store, "meta", id, "meta.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, fmt.Errorf("there is no such context in %s: see docker context ls", store)
	}
	if err != nil {
		return "", nil, err
	}
	var meta struct {
		Endpoints map[string]struct {
			Host          string
			SkipTLSVerify bool
		}
	}
	if err := json.Unmarshal(raw, &meta); err != nil {
		return "", nil, fmt.Errorf("reading the context's metadata: %w", err)
	}
	endpoint, ok := meta.Endpoints["docker"]
	if !ok || endpoint.Host == "" {
		return "", nil, errors.New("the context has no docker endpoint")
	}
	dir := filepath.Join(store, "tls", id, "docker")
	if _, err := os.Stat(dir); err != nil && !endpoint.SkipTLSVerify {
		return endpoint.Host, nil, nil
	}
	return endpoint.Host, &tlsFiles{dir: dir, insecure: endpoint.SkipTLSVerify}, nil
}
