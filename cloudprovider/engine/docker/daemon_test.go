package docker_test

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// daemon is an engine's API with the answers that a test gives it, behind a
// Unix socket, as the client meets it.
type daemon struct {
	host string
	stop func()

	ended chan struct{} // closed at the end of the test

	mu     sync.Mutex
	hung   bool
	asked  []string // method and path of each request
	routes map[string]http.HandlerFunc
}

// newDaemon starts a daemon that speaks API 1.41, the oldest supported, and
// says that it is a Docker Engine.
func newDaemon(t testing.TB) *daemon {
	t.Helper()
	dir, err := os.MkdirTemp("", "magekind") // a test's own folder can be too long for a socket
	check(t, err)
	t.Cleanup(func() { check(t, os.RemoveAll(dir)) })
	listener, err := net.Listen("unix", filepath.Join(dir, "docker.sock"))
	check(t, err)
	d := &daemon{host: "unix://" + listener.Addr().String(), routes: map[string]http.HandlerFunc{}, ended: make(chan struct{})}
	server := &http.Server{Handler: d}
	go func() { _ = server.Serve(listener) }()
	d.stop = func() { _ = server.Close() }
	t.Cleanup(func() { close(d.ended); d.stop() })
	d.answer("GET /version", http.StatusOK, map[string]any{
		"Version": "20.10.24", "Components": []map[string]any{{"Name": "Engine", "Version": "20.10.24"}},
	})
	d.answer("GET /info", http.StatusOK, map[string]any{
		"OperatingSystem": "Debian GNU/Linux 12 (bookworm)", "KernelVersion": "6.1.0", "CgroupVersion": "1",
	})
	return d
}

// versioned is how a path begins once the API version is agreed on.
var versioned = regexp.MustCompile(`^/v1\.41(/.*)$`)

func (d *daemon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	hung := d.hung
	d.mu.Unlock()
	if hung {
		d.stall(w, r)
	}
	w.Header().Set("Api-Version", "1.41")
	if strings.HasSuffix(r.URL.Path, "/_ping") {
		return
	}
	path := versioned.FindStringSubmatch(r.URL.Path)
	if path == nil {
		http.Error(w, "client version is too new", http.StatusBadRequest)
		return
	}
	key := r.Method + " " + path[1]
	d.mu.Lock()
	d.asked = append(d.asked, key)
	route := d.routes[key]
	d.mu.Unlock()
	if route == nil {
		http.Error(w, "unexpected request: "+key, http.StatusTeapot)
		return
	}
	route(w, r)
}

// hang makes the daemon take every request from now on, and answer none.
func (d *daemon) hang() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hung = true
}

// stall is a route that never answers, and reads nothing more.
func (d *daemon) stall(http.ResponseWriter, *http.Request) { <-d.ended }

// handle sets how a request such as "GET /info" is served.
func (d *daemon) handle(key string, route http.HandlerFunc) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.routes[key] = route
}

// answer sets a request's status and JSON body.
func (d *daemon) answer(key string, status int, body any) {
	d.handle(key, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	})
}

// requests returns the requests so far that begin with prefix.
func (d *daemon) requests(prefix string) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []string
	for _, key := range d.asked {
		if strings.HasPrefix(key, prefix) {
			found = append(found, key)
		}
	}
	return found
}

// open connects to the daemon.
func (d *daemon) open(t *testing.T) *docker.Engine {
	t.Helper()
	e, err := docker.Open(t.Context(), docker.Options{Host: d.host})
	check(t, err)
	t.Cleanup(func() { check(t, e.Close()) })
	return e
}

// message is the body of an API error.
func message(text string) map[string]string { return map[string]string{"message": text} }
