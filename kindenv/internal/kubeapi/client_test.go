package kubeapi_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kubeapi"
	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

func ExampleNew() {
	_, err := kubeapi.New(kubeconfig.Access{Server: "https://127.0.0.1:6443"}, nil)
	fmt.Println(err)
	// Output: load client certificate for https://127.0.0.1:6443: tls: failed to find any PEM data in certificate input
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	_, good := serve(t, answers{})
	noCA, noKey := good, good
	noCA.CA = []byte("no certificate")
	noKey.Key = nil
	for _, access := range []kubeconfig.Access{noCA, noKey} {
		if _, err := kubeapi.New(access, nil); err == nil {
			t.Errorf("no error for %+v", access)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	client := ask(t, answers{"/version": `{"gitVersion":"v1.37.0","platform":"linux/amd64"}`})
	got, err := client.Version(t.Context())
	if want := "v1.37.0"; got != want || err != nil {
		t.Errorf("got %q and error %v, want %q", got, err, want)
	}
}

func TestGetErrors(t *testing.T) {
	t.Parallel()
	client := ask(t, answers{
		"/forbidden": `403 {"kind":"Status","message":"nodes is forbidden"}`,
		"/plain":     "500 [+]ping ok\n[-]etcd failed: reason withheld\n",
		"/long":      "500 " + strings.Repeat("ä", 1000),
		"/odd":       "<html>",
	})
	tests := []struct{ path, want string }{
		{"/forbidden", "get /forbidden: 403 Forbidden: nodes is forbidden"},
		{"/plain", "get /plain: 500 Internal Server Error: [+]ping ok\n[-]etcd failed: reason withheld"},
		{"/long", "get /long: 500 Internal Server Error: " + strings.Repeat("ä", 150) + "…"},
		{"/odd", "decode answer of /odd: invalid character '<' looking for beginning of value"},
		{"/absent", "get /absent: not found: the server could not find the requested resource"},
	}
	for _, test := range tests {
		var into struct{}
		err := client.Get(t.Context(), test.path, &into)
		matches(t, err, test.want)
		if got, want := errors.Is(err, kubeapi.ErrNotFound), test.path == "/absent"; got != want {
			t.Errorf("%s: got ErrNotFound %v, want %v", test.path, got, want)
		}
	}
}

func TestGetVerifiesServer(t *testing.T) {
	t.Parallel()
	_, access := serve(t, answers{"/readyz": "ok"})
	access.CA = access.Cert // another authority
	client, err := kubeapi.New(access, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Readyz(t.Context()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("got error %v, want one about the server's certificate", err)
	}
}

func TestGetWithoutServer(t *testing.T) {
	t.Parallel()
	server, access := serve(t, answers{})
	server.Close()
	client, err := kubeapi.New(access, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Readyz(t.Context()); err == nil || !strings.Contains(err.Error(), access.Server+"/readyz") {
		t.Errorf("got error %v, want one that names %s/readyz", err, access.Server)
	}
}

func TestGetEndsWithContext(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	client := ask(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	defer close(hang)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := client.Readyz(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got error %v, want %v", err, context.DeadlineExceeded)
	}
}

func TestConnectionsAreKept(t *testing.T) {
	t.Parallel()
	var opened atomic.Int32
	server, access := serve(t, answers{"/readyz": "ok", "/broken": "500 no"})
	count := httptest.NewUnstartedServer(server.Config.Handler)
	count.TLS = server.TLS.Clone()
	count.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	count.StartTLS()
	defer count.Close()
	access.Server = count.URL + "/" // a slash at the end does no harm
	client, err := kubeapi.New(access, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for range 3 {
		if err := client.Readyz(t.Context()); err != nil {
			t.Fatal(err)
		}
		var into struct{}
		if err := client.Get(t.Context(), "/broken", &into); err == nil {
			t.Fatal("no error for status 500")
		}
	}
	if got := opened.Load(); got != 1 {
		t.Errorf("got %d connections, want 1", got)
	}
}
