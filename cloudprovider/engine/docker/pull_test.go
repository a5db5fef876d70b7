package docker_test

import (
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// stream answers a pull with these messages.
func stream(messages ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(strings.Join(messages, "\r\n")))
	}
}

const begun = `{"status":"Pulling from app","id":"v1"}`

func TestPullReportsProgress(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.handle("POST /images/create", stream(begun,
		`{"status":"Downloading","progressDetail":{"current":5,"total":10},"id":"abc"}`,
		`{"status":"Status: Downloaded newer image"}`))
	var got []engine.PullProgress
	check(t, d.open(t).Pull(t.Context(), "registry.test/app:v1", func(p engine.PullProgress) { got = append(got, p) }))
	want := []engine.PullProgress{
		{Layer: "v1", Status: "Pulling from app"},
		{Layer: "abc", Status: "Downloading", Current: 5, Total: 10},
		{Status: "Status: Downloaded newer image"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestPullThatFailsHalfWayIsAnError(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		last  string
		class error
		says  string
	}{
		"both forms": {`{"errorDetail":{"message":"manifest unknown: x"},"error":"manifest unknown: x"}`, engine.ErrNotFound, "manifest unknown: x"},
		"short form": {`{"error":"toomanyrequests: slow down"}`, nil, "toomanyrequests"},
		"refused":    {`{"errorDetail":{"message":"unauthorized: authentication required"}}`, engine.ErrUnauthorized, "unauthorized"},
		"cut":        {`{"status":"Down`, engine.ErrUnavailable, "progress messages"},
		"not JSON":   {`<html>`, nil, "progress messages"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDaemon(t)
			d.handle("POST /images/create", stream(begun, c.last))
			err := d.open(t).Pull(t.Context(), "registry.test/app:v1", nil)
			contains(t, err, c.class, `pulling image "registry.test/app:v1"`, c.says)
		})
	}
}

func TestPullRefusedAtOnceIsAnError(t *testing.T) {
	t.Parallel()
	for status, class := range map[int]error{
		http.StatusNotFound: engine.ErrNotFound, http.StatusUnauthorized: engine.ErrUnauthorized,
		http.StatusForbidden: engine.ErrUnauthorized, http.StatusServiceUnavailable: engine.ErrUnavailable,
		http.StatusNotImplemented: engine.ErrUnsupported, http.StatusConflict: engine.ErrConflict,
	} {
		d := newDaemon(t)
		d.answer("POST /images/create", status, message("because"))
		contains(t, d.open(t).Pull(t.Context(), "registry.test/app:v1", nil), class, "because")
	}
}

func TestPullOfAnImageThatMayBePrivate(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.answer("POST /images/create", http.StatusNotFound,
		message("pull access denied for app, repository does not exist or may require 'docker login'"))
	err := d.open(t).Pull(t.Context(), "app:v1", nil)
	contains(t, err, engine.ErrNotFound)
	contains(t, err, engine.ErrUnauthorized)
}

func TestTranslateKeepsTheCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("unauthorized: who are you")
	err := docker.Translate(cause)
	contains(t, err, cause)
	contains(t, err, engine.ErrUnauthorized)
	contains(t, docker.Translate(&net.OpError{Op: "read", Err: errors.New("connection reset by peer")}), engine.ErrUnavailable)
	if again := docker.Translate(err); again != err { //nolint:errorlint // the very error
		t.Errorf("translated twice: %v", again)
	}
	if err := docker.Translate(nil); err != nil {
		t.Errorf("got %v, want nil", err)
	}
	if got, want := docker.Translate(errors.New("odd")).Error(), "odd"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
