package docker_test

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// inspected is what the API says about a running container.
func inspected(id string) map[string]any {
	return map[string]any{
		"Id": id, "Name": "/" + id, "Created": "2026-01-02T03:04:05.6Z", "Image": "sha256:1", "RestartCount": 2,
		"State":  map[string]any{"Status": "running", "StartedAt": "2026-01-02T03:04:06Z", "ExitCode": 0},
		"Config": map[string]any{"Image": "app:v1", "Labels": map[string]string{"a": "b"}},
		"NetworkSettings": map[string]any{
			"Networks": map[string]any{
				"kind":  map[string]any{"IPAddress": "172.18.0.2", "GlobalIPv6Address": "fc00::2"},
				"after": map[string]any{"IPAddress": ""},
			},
			"Ports": map[string]any{
				"80/tcp":  []map[string]string{{"HostIp": "127.0.0.1", "HostPort": "8080"}, {"HostIp": "0.0.0.0", "HostPort": "8080"}},
				"53/udp":  []map[string]string{{"HostIp": "::", "HostPort": "5353"}},
				"443/tcp": nil,
			},
		},
	}
}

func TestListDescribes(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.answer("GET /containers/json", http.StatusOK, []map[string]any{{"Id": "b"}, {"Id": "gone"}, {"Id": "a"}})
	d.answer("GET /containers/a/json", http.StatusOK, inspected("a"))
	d.answer("GET /containers/b/json", http.StatusOK, inspected("b"))
	d.answer("GET /containers/gone/json", http.StatusNotFound, message("No such container: gone"))
	found, err := d.open(t).List(t.Context(), nil)
	check(t, err)
	if len(found) != 2 || found[0].Name != "a" || found[1].Name != "b" {
		t.Fatalf("got %+v, want a and b", found)
	}
	c := found[0]
	if c.State != engine.Running || c.RestartCount != 2 || c.Image != "app:v1" || c.ImageID != "sha256:1" || c.Labels["a"] != "b" {
		t.Errorf("got %+v", c)
	}
	if c.CreatedAt.IsZero() || !c.StartedAt.After(c.CreatedAt) {
		t.Errorf("got times %s and %s", c.CreatedAt, c.StartedAt)
	}
	networks := []engine.Attachment{
		{Network: "after"},
		{Network: "kind", IPv4: netip.MustParseAddr("172.18.0.2"), IPv6: netip.MustParseAddr("fc00::2")},
	}
	if !slices.Equal(c.Networks, networks) {
		t.Errorf("networks: got %+v, want %+v", c.Networks, networks)
	}
	ports := []engine.Port{
		{Host: netip.MustParseAddrPort("[::]:5353"), ContainerPort: 53, Protocol: "udp"},
		{Host: netip.MustParseAddrPort("0.0.0.0:8080"), ContainerPort: 80, Protocol: "tcp"},
		{Host: netip.MustParseAddrPort("127.0.0.1:8080"), ContainerPort: 80, Protocol: "tcp"},
	}
	if !slices.Equal(c.Ports, ports) {
		t.Errorf("ports: got %+v, want %+v", c.Ports, ports)
	}
}

func TestUnpauseOfAnOldEngineIsAConflict(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.answer("POST /containers/a/unpause", http.StatusInternalServerError, message("Container a is not paused"))
	contains(t, d.open(t).Unpause(t.Context(), "a"), engine.ErrConflict, `unpausing container "a"`)
}

func TestRemoveWaitsForARemovalUnderWay(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.answer("DELETE /containers/a", http.StatusConflict, message("removal of container a is already in progress"))
	looks := 0
	d.handle("GET /containers/a/json", func(w http.ResponseWriter, _ *http.Request) {
		if looks++; looks < 3 {
			_, _ = w.Write([]byte(`{"Id": "a", "State": {"Status": "removing"}}`))
			return
		}
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte("gone"))
	})
	check(t, d.open(t).Remove(t.Context(), "a"))
	if looks != 3 {
		t.Errorf("looked %d times, want 3", looks)
	}
}

// creating answers what comes before a creation and at its end.
func creating(t *testing.T, create http.HandlerFunc) *daemon {
	t.Helper()
	d := newDaemon(t)
	d.handle("POST /containers/create", create)
	d.answer("DELETE /containers/made", http.StatusNoContent, nil)
	return d
}

func made(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusCreated)
	_, _ = w.Write([]byte(`{"Id": "made"}`))
}

func TestCreateRemovesWhatItCantFinish(t *testing.T) {
	t.Parallel()
	d := creating(t, made)
	d.handle("HEAD /containers/made/archive", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	d.answer("PUT /containers/made/archive", http.StatusInternalServerError, message("no space left on device"))
	_, err := d.open(t).Create(t.Context(), engine.Spec{Name: "app", Files: []engine.File{{Path: "/a/b"}}})
	contains(t, err, nil, `creating container "app"`, `copying "/a/b" in`, "no space left on device")
	if len(d.requests("DELETE /containers/made")) != 1 {
		t.Error("the container was left there")
	}
}

func TestCreateThatIsGivenUpLeavesNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	d := creating(t, func(w http.ResponseWriter, r *http.Request) {
		cancel() // while the engine is at it
		made(w, r)
	})
	_, err := d.open(t).Create(ctx, engine.Spec{Name: "app"})
	contains(t, err, context.Canceled)
	if len(d.requests("DELETE /containers/made")) != 1 {
		t.Error("the container was left there")
	}
}

func TestCreateRefusesTwoNetworksOfAName(t *testing.T) {
	t.Parallel()
	d := creating(t, made)
	d.answer("GET /networks", http.StatusOK, []map[string]string{
		{"Name": "kind", "Id": "1"}, {"Name": "kind", "Id": "2"}, {"Name": "kind-other", "Id": "3"},
	})
	_, err := d.open(t).Create(t.Context(), engine.Spec{Name: "app", Network: "kind"})
	contains(t, err, engine.ErrConflict, `2 networks are named "kind"`)
	if got := d.requests("POST"); len(got) != 0 {
		t.Errorf("asked for %q, want nothing", got)
	}
}

func TestCreateRefusesFilesThatMakeNoSense(t *testing.T) {
	t.Parallel()
	e := creating(t, made).open(t)
	for _, path := range []string{"", "/", "a", "/a/", "/a/../b"} {
		_, err := e.Create(t.Context(), engine.Spec{Name: "app", Files: []engine.File{{Path: path}}})
		contains(t, err, nil, "want an absolute, clean path")
	}
}

func TestAnEngineThatGoesAwayIsUnavailable(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.handle("GET /containers/json", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	_, err := d.open(t).List(t.Context(), nil)
	contains(t, err, engine.ErrUnavailable, "listing containers")
	if strings.Contains(err.Error(), "Error response from daemon") {
		t.Errorf("got %q, with the client's own prefix", err)
	}
}
