package docker

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/cpuguy83/dockercfg"
	"github.com/distribution/reference"
	"github.com/docker/docker/api/types/registry"
)

// credentials returns what the docker command's configuration has for ref's
// registry, in the API's form: empty when it has none.
func credentials(ref string) (string, error) {
	named, err := reference.ParseNormalizedNamed(ref)
	if err != nil {
		return "", nil // the engine says it better
	}
	host := dockercfg.ResolveRegistryHost(reference.Domain(named))
	cfg, err := dockercfg.LoadDefaultConfig()
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("reading the docker configuration for credentials: %w", err)
	}
	user, secret, err := cfg.GetRegistryCredentials(entry(cfg, host))
	if err != nil {
		return "", fmt.Errorf("looking for credentials for %q: %w", host, err)
	}
	auth := registry.AuthConfig{Username: user, Password: secret, ServerAddress: host}
	switch {
	case user == "" && secret == "":
		return "", nil
	case user == "": // by the convention of credential helpers
		auth.Password, auth.IdentityToken = "", secret
	}
	return registry.EncodeAuthConfig(auth)
}

// entry returns the name under which the configuration knows a registry: its
// host, or a URL of that host as old versions of docker wrote it.
func entry(cfg dockercfg.Config, host string) string {
	_, stored := cfg.AuthConfigs[host]
	_, helped := cfg.CredentialHelpers[host]
	if stored || helped || cfg.CredentialsStore != "" {
		return host
	}
	for name := range cfg.AuthConfigs {
		bare := strings.TrimPrefix(strings.TrimPrefix(name, "https://"), "http://")
		if bare, _, _ = strings.Cut(bare, "/"); bare == host {
			return name
		}
	}
	return host
}
