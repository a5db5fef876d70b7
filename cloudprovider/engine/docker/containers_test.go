package docker_test

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
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

// TestWhatDoesNotRunHasNoPlace, although an engine that was killed goes on
// telling the address and the ports of the last run.
func TestWhatDoesNotRunHasNoPlace(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	left := inspected("a")
	left["State"] = map[string]any{"Status": "exited"}
	d.answer("GET /containers/json", http.StatusOK, []map[string]any{{"Id": "a"}})
	d.answer("GET /containers/a/json", http.StatusOK, left)
	found, err := d.open(t).List(t.Context(), nil)
	check(t, err)
	want := []engine.Attachment{{Network: "after"}, {Network: "kind"}}
	if c := found[0]; len(c.Ports) > 0 || !slices.Equal(c.Networks, want) {
		t.Errorf("got ports %v and networks %v, want none and %v", c.Ports, c.Networks, want)
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
	err := d.open(t).Unpause(t.Context(), "a")
	contains(t, err, engine.ErrConflict)
	if got, want := err.Error(), `unpausing container "a": conflict: Container a is not paused`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStopOfPodmanThawsWhatIsPaused(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	refuse := true
	d.handle("POST /containers/a/stop", func(w http.ResponseWriter, _ *http.Request) {
		if refuse {
			http.Error(w, "container a is running or paused, refusing to clean up: container state improper", http.StatusInternalServerError)
		}
	})
	d.handle("POST /containers/a/unpause", func(http.ResponseWriter, *http.Request) { refuse = false })
	check(t, d.open(t).Stop(t.Context(), "a", 0))
	if got := len(d.requests("POST /containers/a/stop")); got != 2 {
		t.Errorf("stopped %d times, want 2", got)
	}
}

func TestAddressesAreThoseOfARunningContainer(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	ended := inspected("a")
	ended["State"] = map[string]any{"Status": "exited"}
	d.answer("GET /containers/json", http.StatusOK, []map[string]any{{"Id": "a"}})
	d.answer("GET /containers/a/json", http.StatusOK, ended)
	found, err := d.open(t).List(t.Context(), nil)
	check(t, err)
	if want := []engine.Attachment{{Network: "after"}, {Network: "kind"}}; !slices.Equal(found[0].Networks, want) {
		t.Errorf("got %+v, want %+v", found[0].Networks, want)
	}
}

func TestANameThatPodmanHasIsAConflict(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.answer("POST /containers/create", http.StatusInternalServerError, message("You have to remove that container: that name is already in use"))
	_, err := d.open(t).Create(t.Context(), engine.Spec{Name: "app"})
	contains(t, err, engine.ErrConflict)
}

func TestRemoveGoesOnWhileItIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		last int
		text string
	}{
		"somebody else removes it": {http.StatusNotFound, "No such container: a"},
		"the engine comes round":   {http.StatusNoContent, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDaemon(t)
			tries := 0
			d.handle("DELETE /containers/a", func(w http.ResponseWriter, _ *http.Request) {
				if tries++; tries < 3 {
					http.Error(w, "removal of container a is already in progress", http.StatusConflict)
					return
				}
				w.WriteHeader(c.last)
				_, _ = w.Write([]byte(c.text))
			})
			check(t, d.open(t).Remove(t.Context(), "a"))
			if tries != 3 {
				t.Errorf("tried %d times, want 3", tries)
			}
		})
	}
}

func TestRemoveEndsWithItsContext(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	ctx, cancel := context.WithCancel(t.Context())
	d.handle("DELETE /containers/a", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "removal of container a is already in progress", http.StatusConflict)
		cancel()
	})
	contains(t, d.open(t).Remove(ctx, "a"), context.Canceled, `removing container "a"`)
}

func TestAnEngineThatGoesAwayIsUnavailable(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.handle("GET /containers/json", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	_, err := d.open(t).List(t.Context(), nil)
	contains(t, err, engine.ErrUnavailable, "listing containers")
}

func TestAnEngineThatIsGoneIsUnavailable(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	e := d.open(t)
	d.stop()
	_, err := e.List(t.Context(), nil)
	contains(t, err, engine.ErrUnavailable, "listing containers")
}

func TestPodmansStates(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	e := d.open(t)
	d.answer("GET /containers/json", http.StatusOK, []map[string]any{{"Id": "a"}})
	for said, want := range map[string]engine.State{
		"configured": engine.Created, "initialized": engine.Created, "stopping": engine.Running, "stopped": engine.Exited,
		"created": engine.Created, "paused": engine.Paused, "exited": engine.Exited, "dead": engine.Dead,
	} {
		d.answer("GET /containers/a/json", http.StatusOK, map[string]any{"Id": "a", "State": map[string]any{"Status": said}})
		found, err := e.List(t.Context(), nil)
		check(t, err)
		if got := found[0].State; got != want {
			t.Errorf("%s: got %s, want %s", said, got, want)
		}
	}
}
