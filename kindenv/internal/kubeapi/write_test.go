package kubeapi_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kubeapi"
)

// writing answers every write with status, and keeps the last request.
type writing struct {
	status          int
	method, path    string
	mediaType, body string
}

func (s *writing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.method, s.path, s.mediaType, s.body = r.Method, r.URL.Path, r.Header.Get("Content-Type"), string(body)
	w.WriteHeader(s.status)
	_, _ = io.WriteString(w, `{"message":"so it is"}`)
}

func TestCreate(t *testing.T) {
	t.Parallel()
	s := &writing{status: http.StatusCreated}
	client := ask(t, s)
	if err := client.Create(t.Context(), "/api/v1/things", []byte(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	if s.method != "POST" || s.path != "/api/v1/things" || s.mediaType != "application/json" || s.body != `{"a":1}` {
		t.Errorf("got %s %s of %s %s, want POST /api/v1/things of application/json {\"a\":1}", s.method, s.path, s.mediaType, s.body)
	}
	s.status = http.StatusConflict
	matches(t, client.Create(t.Context(), "/api/v1/things", []byte(`{}`)), "post /api/v1/things: 409 Conflict: so it is")
}

func TestHastenCoreDNS(t *testing.T) {
	t.Parallel()
	s := &writing{status: http.StatusOK}
	client := ask(t, s)
	if err := client.HastenCoreDNS(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := "/apis/apps/v1/namespaces/kube-system/deployments/coredns"; s.method != "PATCH" || s.path != want {
		t.Errorf("got %s %s, want PATCH %s", s.method, s.path, want)
	}
	if s.mediaType != "application/strategic-merge-patch+json" || !json.Valid([]byte(s.body)) {
		t.Errorf("got %s as %s, want a strategic merge patch in JSON", s.body, s.mediaType)
	}
	s.status = http.StatusNotFound
	if err := client.HastenCoreDNS(t.Context()); !errors.Is(err, kubeapi.ErrNotFound) {
		t.Errorf("got %v, want %v", err, kubeapi.ErrNotFound)
	}
}
