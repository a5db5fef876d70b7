package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestHandler(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]struct {
		code int
		body string
	}{
		"/":        {http.StatusOK, "Hello from pod-1\n"},
		"/healthz": {http.StatusOK, "ok\n"},
		"/other":   {http.StatusNotFound, "404 page not found\n"},
	} {
		w := httptest.NewRecorder()
		handler("pod-1").ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != want.code || w.Body.String() != want.body {
			t.Errorf("%s: got %d %q, want %d %q", path, w.Code, w.Body.String(), want.code, want.body)
		}
	}
}

// TestServeFinishesWhatItBegan stops the server in the middle of a request.
func TestServeFinishesWhatItBegan(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	slow := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		stop()
		// The listener closes first: once it does, the server is on its way out.
		for {
			conn, err := net.Dial("tcp", listener.Addr().String())
			if err != nil {
				break
			}
			conn.Close()
		}
		_, _ = io.WriteString(w, "done")
	})
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, listener, slow) }()

	response, err := http.Get("http://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if got, err := io.ReadAll(response.Body); string(got) != "done" || err != nil {
		t.Errorf("got %q and error %v, want the whole answer", got, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("got error %v from the server, want none", err)
	}
}
