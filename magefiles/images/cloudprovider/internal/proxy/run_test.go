package proxy_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/proxy"
)

// TestRunKeepsItsConfiguration starts a proxy with one configuration, hands it
// another one, and starts it again as after a restart of its container.
func TestRunKeepsItsConfiguration(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	control, saved := filepath.Join(dir, "control"), filepath.Join(dir, "kept", "proxy.json")
	port := freePort(t)
	config := func(name string) string {
		raw, err := json.Marshal(proxy.Config{Nodes: []string{"127.0.0.1"}, Listen: []proxy.Listen{{Port: port, NodePort: backend(t, name)}}})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	first := config("first")

	stop := runProxy(t, control, saved, first)
	if got, want := ask(t, port, ""), "first heard "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := proxy.Send(t.Context(), control, []byte("no JSON")); err == nil || !strings.Contains(err.Error(), "reading the configuration") {
		t.Errorf("got %v for a bad configuration, want it refused", err)
	}
	if err := proxy.Send(t.Context(), control, []byte(config("second"))); err != nil {
		t.Fatal(err)
	}
	if got, want := ask(t, port, ""), "second heard "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	stop()

	runProxy(t, control, saved, first)
	if got, want := ask(t, port, ""), "second heard "; got != want {
		t.Errorf("after a restart: got %q, want %q", got, want)
	}
}

// runProxy returns once the admin port says that the proxy is ready.
func runProxy(t *testing.T, control, saved, env string) (stop func()) {
	t.Helper()
	admin := freePort(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- proxy.RunAt(ctx, control, saved, env, admin, t.Logf) }()
	stop = func() {
		cancel()
		if err, ok := <-done; ok && err != nil {
			t.Error(err)
		}
		close(done)
	}
	t.Cleanup(cancel)
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); {
		response, err := http.Get("http://127.0.0.1:" + strconv.Itoa(admin) + "/ready")
		if err == nil {
			line, _ := bufio.NewReader(response.Body).ReadString('\n')
			response.Body.Close()
			if line == "LIVE\n" {
				return stop
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the proxy did not get ready")
	return nil
}
