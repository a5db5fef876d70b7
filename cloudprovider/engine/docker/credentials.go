package docker

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"

	"github.com/cpuguy83/dockercfg"
	"github.com/distribution/reference"
	"github.com/docker/docker/api/types/registry"
)

// credentials returns what the docker command's configuration has for ref's
// registry, in the API's form: empty when it has none. secrets are what must
// not be shown of it.
func credentials(ref string) (auth string, secrets []string, err error) {
	named, err := reference.ParseNormalizedNamed(ref)
	if err != nil {
		return "", nil, nil // the engine says it better
	}
	host := dockercfg.ResolveRegistryHost(reference.Domain(named))
	cfg, err := dockercfg.LoadDefaultConfig()
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, fmt.Errorf("reading the docker configuration for credentials: %w", err)
	}
	user, secret, err := cfg.GetRegistryCredentials(entry(cfg, host))
	if err != nil {
		return "", nil, fmt.Errorf("looking for credentials for %q: %w", host, discreet(err))
	}
	if user == "" && secret == "" {
		return "", nil, nil
	}
	config := registry.AuthConfig{Username: user, Password: secret, ServerAddress: host}
	if user == "" { // by the convention of credential helpers
		config.Password, config.IdentityToken = "", secret
	}
	auth, err = registry.EncodeAuthConfig(config)
	return auth, []string{secret, base64.StdEncoding.EncodeToString([]byte(user + ":" + secret)), auth}, err
}

// discreet replaces the error of a credential helper that has failed after it
// printed credentials, which are JSON: the error quotes all that was printed.
func discreet(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && strings.Contains(err.Error(), "{") {
		return fmt.Errorf("the credential helper failed (%w); run `docker login`, or the helper by hand, to see why", exit)
	}
	return err
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
