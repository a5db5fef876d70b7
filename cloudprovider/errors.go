package cloudprovider

import (
	"errors"
	"fmt"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

// ErrUnsupported means that the engine does not speak the Docker API, which
// the cloud provider needs. Everything but the cloud provider works on such an engine.
var ErrUnsupported = errors.New("cloud provider requires Docker or Podman")

var errAbsent = errors.New("the cloud provider does not run")

func supported(at engine.Endpoint) error {
	switch at.Kind {
	case engine.Docker, engine.Podman:
		return nil
	}
	return fmt.Errorf("%w: the engine at %q is of kind %q", ErrUnsupported, redact.URL(at.Host), at.Kind)
}
