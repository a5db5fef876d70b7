package cloudprovider

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/distribution/reference"
)

// maxClusterName leaves room for "-control-plane" in the 63 characters of a label.
const maxClusterName = 49

// Validate checks every field that is set and joins what it finds: each error
// names the field, its value, and what is allowed.
func (c Config) Validate() error {
	c = c.withDefaults()
	return errors.Join(
		checkImage(c.Image),
		checkNetwork(c.Network),
		checkOneOf("GatewayChannel", c.GatewayChannel, "standard", "experimental", "disabled"),
		checkSocketPath(c.SocketPath),
		checkClusterName(c.ClusterName),
		checkRegistry(c.Registry),
		checkPortMapping(c.PortMapping),
	)
}

func checkImage(image string) error {
	if _, err := reference.ParseAnyReference(image); err != nil {
		return fmt.Errorf("invalid Image %q: %w; give a reference such as %s", image, err, DefaultImage)
	}
	return nil
}

func checkNetwork(network string) error {
	if !regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_.-]*$`).MatchString(network) {
		return fmt.Errorf("invalid Network %q: allowed are letters, digits, '_', '.' and '-', with a letter or digit first; kind's own is %q", network, defaultNetwork)
	}
	return nil
}

func checkOneOf(field, value string, allowed ...string) error {
	if !slices.Contains(allowed, value) {
		return fmt.Errorf("invalid %s %q: allowed are %s", field, value, quoteAll(allowed))
	}
	return nil
}

func quoteAll(values []string) string {
	quoted := make([]string, len(values))
	for i, value := range values {
		quoted[i] = fmt.Sprintf("%q", value)
	}
	return strings.Join(quoted, ", ")
}

func checkSocketPath(path string) error {
	if path != "" && (!strings.HasPrefix(path, "/") || strings.Contains(path, ":") || !printable(path)) {
		return fmt.Errorf("invalid SocketPath %q: give the absolute path of the engine's socket on the daemon's side, without a scheme or a colon, such as %s", path, daemonSocket)
	}
	return nil
}

// printable reports whether text can be said in the API, and on a line, as it is.
func printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

func checkClusterName(name string) error {
	switch {
	case name == "":
		return nil
	case !regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*$`).MatchString(name):
		return fmt.Errorf("invalid ClusterName %q: allowed are lower-case letters, digits, '.' and '-', with a letter or digit first", name)
	case len(name) > maxClusterName:
		return fmt.Errorf("invalid ClusterName %q: it has %d characters, at most %d are allowed", name, len(name), maxClusterName)
	}
	return nil
}

func checkRegistry(registry string) error {
	if registry == "" {
		return nil
	}
	if strings.Contains(registry, "@") {
		return errors.New("invalid Registry: it has an '@' in it; credentials can't be given there: log in with docker login, and give host[:port][/path] of a mirror of docker.io")
	}
	named, err := reference.ParseNormalizedNamed(registry + "/name")
	if err == nil && reference.Domain(named) == "docker.io" && !strings.HasPrefix(registry, "docker.io") {
		err = errors.New("the first part is not a host name")
	}
	if err != nil {
		return fmt.Errorf("invalid Registry %q: %w; give host[:port][/path] of a mirror of docker.io, without a scheme, such as mirror.example.com", registry, err)
	}
	return nil
}
