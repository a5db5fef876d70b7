package docker_test

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// creating answers what comes before a creation and at its end.
func creating(t *testing.T, create http.HandlerFunc) *daemon {
	t.Helper()
	d := newDaemon(t)
	d.handle("POST /containers/create", create)
	d.answer("DELETE /containers/made", http.StatusNoContent, nil)
	return d
}

func made(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusCreated)
	_, _ = w.Write([]byte(`{"Id": "made"}`))
}

func TestCreateRemovesWhatItCantFinish(t *testing.T) {
	t.Parallel()
	d := creating(t, made)
	d.handle("HEAD /containers/made/archive", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	d.answer("PUT /containers/made/archive", http.StatusInternalServerError, message("no space left on device"))
	_, err := d.open(t).Create(t.Context(), engine.Spec{Name: "app", Files: []engine.File{{Path: "/a/b"}}})
	contains(t, err, nil, `creating container "app"`, `copying "/a/b" in`, "no space left on device")
	if len(d.requests("DELETE /containers/made")) != 1 {
		t.Error("the container was left there")
	}
}

func TestCreateThatIsGivenUpLeavesNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	d := creating(t, func(w http.ResponseWriter, r *http.Request) {
		cancel() // while the engine is at it
		made(w, r)
	})
	_, err := d.open(t).Create(ctx, engine.Spec{Name: "app"})
	contains(t, err, context.Canceled)
	if len(d.requests("DELETE /containers/made")) != 1 {
		t.Error("the container was left there")
	}
}

func TestCreateRefusesTwoNetworksOfAName(t *testing.T) {
	t.Parallel()
	d := creating(t, made)
	d.answer("GET /networks", http.StatusOK, []map[string]string{
		{"Name": "kind", "Id": "1"}, {"Name": "kind", "Id": "2"}, {"Name": "kind-other", "Id": "3"},
	})
	_, err := d.open(t).Create(t.Context(), engine.Spec{Name: "app", Network: "kind"})
	contains(t, err, engine.ErrConflict, `2 networks are named "kind"`)
	if got := d.requests("POST"); len(got) != 0 {
		t.Errorf("asked for %q, want nothing", got)
	}
}

func TestCreateRefusesFilesThatMakeNoSense(t *testing.T) {
	t.Parallel()
	e := creating(t, made).open(t)
	for _, path := range []string{"", "/", "a", "/a/", "/a/../b"} {
		_, err := e.Create(t.Context(), engine.Spec{Name: "app", Files: []engine.File{{Path: path}}})
		contains(t, err, nil, "want an absolute, clean path")
	}
}

func TestCreateCopiesFilesIn(t *testing.T) {
	t.Parallel()
	d := creating(t, made)
	d.handle("HEAD /containers/made/archive", func(w http.ResponseWriter, r *http.Request) {
		if path := r.URL.Query().Get("path"); path != "/usr/local" && path != "/etc" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("X-Docker-Container-Path-Stat", "e30=")
	})
	var got []string
	d.handle("PUT /containers/made/archive", func(_ http.ResponseWriter, r *http.Request) {
		archive := tar.NewReader(r.Body)
		for {
			h, err := archive.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			content, _ := io.ReadAll(archive)
			got = append(got, fmt.Sprintf("%s %o %d:%d %s", h.Name, h.Mode, h.Uid, h.Gid, content))
		}
	})
	_, err := d.open(t).Create(t.Context(), engine.Spec{Name: "app", Files: []engine.File{
		{Path: "/usr/local/sbin/sub/b", Mode: 0o755, Content: []byte("B")},
		{Path: "/etc/c", Mode: 0o4600},
		{Path: "/usr/local/sbin/a", Content: []byte("A")},
	}})
	check(t, err)
	want := []string{
		"usr/local/sbin/ 755 0:0 ", "usr/local/sbin/sub/ 755 0:0 ",
		"etc/c 600 0:0 ", "usr/local/sbin/a 644 0:0 A", "usr/local/sbin/sub/b 755 0:0 B",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestCreateHardens(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	var asked struct {
		HostConfig struct {
			ReadonlyRootfs       bool
			CapDrop, SecurityOpt []string
			NetworkMode          string
			Mounts               []map[string]any
			Privileged           bool
		}
	}
	d.handle("POST /containers/create", func(w http.ResponseWriter, r *http.Request) {
		check(t, json.NewDecoder(r.Body).Decode(&asked))
		made(w, r)
	})
	var into []string
	d.handle("PUT /containers/made/archive", func(_ http.ResponseWriter, r *http.Request) {
		archive := tar.NewReader(r.Body)
		for h, err := archive.Next(); err == nil; h, err = archive.Next() {
			into = append(into, fmt.Sprintf("%s + %s %o", r.URL.Query().Get("path"), h.Name, h.Mode))
		}
	})
	_, err := d.open(t).Create(t.Context(), engine.Spec{
		Name: "app", ReadOnly: true, Unprivileged: true, Network: engine.NoNetwork, Labels: map[string]string{"a": "b"},
		Files: []engine.File{{Path: "/usr/sbin/b", Mode: 0o755}, {Path: "/etc/c"}, {Path: "/usr/sbin/a"}},
	})
	check(t, err)
	host := asked.HostConfig
	if !host.ReadonlyRootfs || host.Privileged || !slices.Equal(host.CapDrop, []string{"ALL"}) ||
		!slices.Equal(host.SecurityOpt, []string{"no-new-privileges"}) || host.NetworkMode != "none" {
		t.Errorf("got %+v", host)
	}
	if got, want := fmt.Sprint(host.Mounts), "[map[Target:/etc Type:volume VolumeOptions:map[Labels:map[a:b]]] "+
		"map[Target:/usr/sbin Type:volume VolumeOptions:map[Labels:map[a:b]]]]"; got != want {
		t.Errorf("got mounts\n%s, want\n%s", got, want)
	}
	if want := []string{"/etc + c 644", "/usr/sbin + a 644", "/usr/sbin + b 755"}; !slices.Equal(into, want) {
		t.Errorf("got %q, want %q", into, want)
	}
}
