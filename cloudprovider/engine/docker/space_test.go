package docker_test

import (
	"net/http"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// The messages are those of Docker 20.10 and 28, and of Podman 5, on a full disk.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	e := d.open(t)
	d.handle("POST /images/create", stream(begun, `{"errorDetail":{"message":`+
		`"failed to register layer: Error processing tar file(exit status 1): write /app: no space left on device"},"error":"x"}`))
	contains(t, e.Pull(t.Context(), "app", nil), engine.ErrNoSpace, `pulling image "app"`, "write /app: no space left on device", "docker system df")

	d.answer("POST /containers/create", http.StatusInternalServerError,
		message("error creating overlay mount to /var/lib/docker/overlay2/x: no space left on device"))
	_, err := e.Create(t.Context(), engine.Spec{Name: "some"})
	contains(t, err, engine.ErrNoSpace, `creating container "some"`, "docker system prune")

	d.answer("POST /containers/some/start", http.StatusInternalServerError,
		message("OCI runtime error: write file '/etc/hostname': Disk quota exceeded: OCI not found"))
	contains(t, e.Start(t.Context(), "some"), engine.ErrNoSpace, `starting container "some"`)
}
