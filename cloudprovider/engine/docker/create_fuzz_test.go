package docker_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// request is what an engine reads of a creation.
type request struct {
	Name       string `json:"-"`
	Image      string
	User       string
	Cmd, Env   []string
	Labels     map[string]string
	HostConfig struct {
		NetworkMode string
		Privileged  bool
		Binds       []string
		CapAdd      []string
		Mounts      []struct{ Type, Source, Target string }
	}
}

// FuzzCreate: every text of a spec arrives at the engine as it is and where it
// belongs, and adds nothing.
func FuzzCreate(f *testing.F) {
	for _, s := range []string{
		"app", "a b", "a&name=b", "a?b#c", "../x", "%2e", "a/b", "", "\x00", "\n", `"}`, `","Privileged":true,"x":"`, "é", "\u2028", "<&>", "-v", "a=b", ":ro",
	} {
		f.Add(s, s, s, s, s, s)
	}
	d := newDaemon(f)
	var got request
	d.handle("POST /containers/create", func(w http.ResponseWriter, r *http.Request) {
		got = request{Name: r.URL.Query().Get("name")}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil || len(r.URL.Query()) > 1 {
			http.Error(w, "not what an engine takes", http.StatusBadRequest)
			return
		}
		made(w, r)
	})
	e, err := docker.Open(f.Context(), docker.Options{Host: d.host})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = e.Close() })
	f.Fuzz(func(t *testing.T, name, image, key, value, argument, path string) {
		for _, text := range []string{name, image, key, value, argument, path} {
			if !utf8.ValidString(text) {
				return // JSON can't say it; the settings are checked for it before
			}
		}
		spec := engine.Spec{
			Name: name, Image: image, Command: []string{argument, value}, Env: []string{key + "=" + value}, Labels: map[string]string{key: value},
			User: argument, Mounts: []engine.Mount{{Source: path, Target: value}},
		}
		if _, err := e.Create(t.Context(), spec); err != nil {
			t.Fatal(err)
		}
		want := request{Name: name, Image: image, User: argument, Cmd: spec.Command, Env: spec.Env, Labels: spec.Labels}
		want.HostConfig.Mounts = []struct{ Type, Source, Target string }{{"bind", path, value}}
		if got.HostConfig.NetworkMode == "default" {
			got.HostConfig.NetworkMode = ""
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	})
}
