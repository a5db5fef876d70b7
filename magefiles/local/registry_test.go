package local

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAnswer(t *testing.T) {
	t.Parallel()
	login := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(login.Close)
	gone := httptest.NewServer(nil)
	gone.Close()

	if err := answer(t.Context(), login.URL); err != nil {
		t.Errorf("a registry that asks for a login: %v; want nil", err)
	}
	err := answer(t.Context(), login.URL, gone.URL)
	if err == nil || !strings.Contains(err.Error(), gone.URL) {
		t.Errorf("one of two is gone: %v; want an error that names %s", err, gone.URL)
	}
}
