package docker_test

import (
	"bytes"
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/docker/docker/pkg/stdcopy"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// printing is a container whose output is raw, with or without a terminal.
func printing(t *testing.T, tty bool, raw []byte) *daemon {
	t.Helper()
	d := newDaemon(t)
	d.answer("GET /containers/a/json", http.StatusOK, map[string]any{"Id": "a", "Config": map[string]any{"Tty": tty}})
	d.handle("GET /containers/a/logs", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(raw) })
	return d
}

// framed returns output as the API wraps it without a terminal.
func framed(t *testing.T) []byte {
	t.Helper()
	var raw bytes.Buffer
	_, err := stdcopy.NewStdWriter(&raw, stdcopy.Stdout).Write([]byte("one\n"))
	check(t, err)
	_, err = stdcopy.NewStdWriter(&raw, stdcopy.Stderr).Write([]byte("two\n"))
	check(t, err)
	return raw.Bytes()
}

func TestLogsTakesStreamsApart(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]*daemon{
		"without a terminal": printing(t, false, framed(t)),
		"with a terminal":    printing(t, true, []byte("one\ntwo\n")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			check(t, d.open(t).Logs(t.Context(), "a", engine.LogOptions{}, &out))
			if got, want := out.String(), "one\ntwo\n"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestLogsThatAreCutAreAnError(t *testing.T) {
	t.Parallel()
	raw := framed(t)
	d := printing(t, false, nil)
	d.handle("GET /containers/a/logs", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(raw)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	var out bytes.Buffer
	err := d.open(t).Logs(t.Context(), "a", engine.LogOptions{Follow: true}, &out)
	contains(t, err, engine.ErrUnavailable, `reading logs of container "a"`)
}

func TestLogsPassesOptionsOn(t *testing.T) {
	t.Parallel()
	d := printing(t, true, nil)
	var query string
	d.handle("GET /containers/a/logs", func(_ http.ResponseWriter, r *http.Request) { query = r.URL.RawQuery })
	opts := engine.LogOptions{Follow: true, Tail: 7, Since: time.Unix(1700000000, 5)}
	check(t, d.open(t).Logs(t.Context(), "a", opts, new(bytes.Buffer)))
	if want := "follow=1&since=1700000000.000000005&stderr=1&stdout=1&tail=7"; query != want {
		t.Errorf("got %s, want %s", query, want)
	}
}

func TestFollowedLogsEndWithTheContext(t *testing.T) {
	t.Parallel()
	raw := framed(t)
	d := printing(t, false, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	d.handle("GET /containers/a/logs", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(raw)
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	})
	contains(t, d.open(t).Logs(ctx, "a", engine.LogOptions{Follow: true}, new(bytes.Buffer)), context.Canceled)
}
