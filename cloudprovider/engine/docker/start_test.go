package docker_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// TestStartOfABrokenImage: the container is there, whatever its program is.
func TestStartOfABrokenImage(t *testing.T) {
	t.Parallel()
	const text = `failed to create shim: OCI runtime create failed: exec: "/nope": executable file not found in $PATH: unknown`
	d := newDaemon(t)
	d.answer("POST /containers/some/start", http.StatusBadRequest, message(text))
	err := d.open(t).Start(t.Context(), "some")
	contains(t, err, nil, `starting container "some"`, text)
	if errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %v, want no engine.ErrNotFound: callers take the container for gone", err)
	}
}
