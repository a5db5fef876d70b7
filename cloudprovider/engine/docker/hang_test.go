package docker_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// shortly are limits that a test can wait for. A call that they end although
// the daemon would answer is no trouble where it is to be ended anyhow.
const shortly = 60 * time.Millisecond

// impatient connects to the daemon with short limits.
func (d *daemon) impatient(t *testing.T) *docker.Engine {
	t.Helper()
	here := docker.Host{GOOS: "linux", Limits: docker.Limits{Question: shortly, Work: shortly, Removal: shortly, Pull: time.Hour}}
	e, err := here.Open(t.Context(), docker.Options{Host: d.host})
	check(t, err)
	t.Cleanup(func() { check(t, e.Close()) })
	return e
}

// calls are all that an engine can be asked, with how their errors begin.
func calls() map[string]func(context.Context, *docker.Engine) error {
	return map[string]func(context.Context, *docker.Engine) error{
		"listing containers": func(ctx context.Context, e *docker.Engine) error { _, err := e.List(ctx, nil); return err },
		`creating container "some": looking for network "net"`: func(ctx context.Context, e *docker.Engine) error {
			_, err := e.Create(ctx, engine.Spec{Name: "some", Network: "net"})
			return err
		},
		`creating container "some"`: func(ctx context.Context, e *docker.Engine) error {
			_, err := e.Create(ctx, engine.Spec{Name: "some"})
			return err
		},
		`starting container "some"`:    func(ctx context.Context, e *docker.Engine) error { return e.Start(ctx, "some") },
		`stopping container "some"`:    func(ctx context.Context, e *docker.Engine) error { return e.Stop(ctx, "some", shortly) },
		`killing container "some"`:     func(ctx context.Context, e *docker.Engine) error { return e.Kill(ctx, "some") },
		`removing container "some"`:    func(ctx context.Context, e *docker.Engine) error { return e.Remove(ctx, "some") },
		`pausing container "some"`:     func(ctx context.Context, e *docker.Engine) error { return e.Pause(ctx, "some") },
		`unpausing container "some"`:   func(ctx context.Context, e *docker.Engine) error { return e.Unpause(ctx, "some") },
		`looking for image "app"`:      func(ctx context.Context, e *docker.Engine) error { _, err := e.Image(ctx, "app"); return err },
		`looking for network "net"`:    func(ctx context.Context, e *docker.Engine) error { _, err := e.NetworkIDs(ctx, "net"); return err },
		`pulling image "app"`:          func(ctx context.Context, e *docker.Engine) error { return e.Pull(ctx, "app", nil) },
		`running ["true"] in`:          func(ctx context.Context, e *docker.Engine) error { return execute(ctx, e) },
		`reading logs of container "s`: func(ctx context.Context, e *docker.Engine) error { return read(ctx, e, false) },
	}
}

func execute(ctx context.Context, e *docker.Engine) error {
	_, err := e.Exec(ctx, "some", []string{"true"}, io.Discard)
	return err
}

func read(ctx context.Context, e *docker.Engine, follow bool) error {
	return e.Logs(ctx, "some", engine.LogOptions{Follow: follow}, io.Discard)
}

// TestNoCallWaitsForEver for an engine that takes requests and answers none.
func TestNoCallWaitsForEver(t *testing.T) {
	t.Parallel()
	for begins, call := range calls() {
		t.Run(begins, func(t *testing.T) {
			t.Parallel()
			d := newDaemon(t)
			e := d.impatient(t)
			d.hang()
			err := call(t.Context(), e)
			contains(t, err, engine.ErrUnavailable, d.host, "has not answered for ", "restart docker")
			if !strings.HasPrefix(err.Error(), begins) {
				t.Errorf("got %v, want %q at its beginning", err, begins)
			}
		})
	}
}

// TestCallersDeadline is not the engine's fault, and the error tells both.
func TestCallersDeadline(t *testing.T) {
	t.Parallel()
	all := calls()
	delete(all, `creating container "some"`) // goes on for a while, so that nothing is left behind
	for begins, call := range all {
		t.Run(begins, func(t *testing.T) {
			t.Parallel()
			d := newDaemon(t)
			e := d.open(t)
			d.hang()
			ctx, cancel := context.WithTimeout(t.Context(), shortly)
			defer cancel()
			err := call(ctx, e)
			contains(t, err, context.DeadlineExceeded)
			if errors.Is(err, engine.ErrUnavailable) {
				t.Errorf("got %v, which blames the engine", err)
			}
		})
	}
}

// TestAnswerThatStops: the engine hangs once it has begun to answer.
func TestAnswerThatStops(t *testing.T) {
	t.Parallel()
	begin := func(d *daemon, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, text)
			_ = http.NewResponseController(w).Flush()
			d.hang()
			d.stall(w, r)
		}
	}
	for name, call := range map[string]func(context.Context, *docker.Engine) error{
		"pull":          func(ctx context.Context, e *docker.Engine) error { return e.Pull(ctx, "app", nil) },
		"log":           func(ctx context.Context, e *docker.Engine) error { return read(ctx, e, false) },
		"followed log":  func(ctx context.Context, e *docker.Engine) error { return read(ctx, e, true) },
		"list":          func(ctx context.Context, e *docker.Engine) error { _, err := e.List(ctx, nil); return err },
		"exec's stream": execute,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDaemon(t)
			d.answer("GET /containers/some/json", http.StatusOK, map[string]any{"Id": "some"})
			d.handle("POST /images/create", begin(d, begun+"\n"))
			d.handle("GET /containers/some/logs", begin(d, ""))
			d.handle("GET /containers/json", begin(d, "[{"))
			d.answer("POST /containers/some/exec", http.StatusCreated, map[string]any{"Id": "run"})
			d.handle("POST /exec/run/start", func(w http.ResponseWriter, r *http.Request) {
				conn, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				defer conn.Close()
				_, _ = io.WriteString(conn, "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n")
				d.hang()
				d.stall(w, r)
			})
			contains(t, call(t.Context(), d.impatient(t)), engine.ErrUnavailable, d.host, "has not answered for ")
		})
	}
}

// TestEngineThatGoesAway in the middle: its socket is there no longer, or it
// drops the connection.
func TestEngineThatGoesAway(t *testing.T) {
	t.Parallel()
	for begins, call := range calls() {
		t.Run(begins, func(t *testing.T) {
			t.Parallel()
			gone, resets := newDaemon(t), newDaemon(t)
			for _, key := range slices.Concat(everyRoute()) {
				resets.handle(key, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
			}
			stopped := gone.open(t)
			gone.stop()
			contains(t, call(t.Context(), stopped), engine.ErrUnavailable, gone.host, "start docker")
			contains(t, call(t.Context(), resets.open(t)), engine.ErrUnavailable, resets.host, "start docker")
		})
	}
}

// everyRoute are the first requests of the calls.
func everyRoute() []string {
	return []string{
		"GET /containers/json", "GET /containers/some/json", "GET /networks", "GET /images/app/json", "POST /images/create",
		"POST /containers/create", "POST /containers/some/start", "POST /containers/some/stop", "POST /containers/some/kill",
		"POST /containers/some/pause", "POST /containers/some/unpause", "POST /containers/some/exec", "DELETE /containers/some",
	}
}
