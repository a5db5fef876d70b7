package docker_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/docker/docker/api/types/registry"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// configure gives the test a docker configuration of its own.
func configure(t *testing.T, config string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("DOCKER_CONFIG", dir)
	if config != "" {
		write(t, filepath.Join(dir, "config.json"), config)
	}
}

// helper puts a credential helper on the PATH. It prints what it got and answers by script.
func helper(t *testing.T, name, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the helper is a shell script")
	}
	dir := t.TempDir()
	check(t, os.WriteFile(filepath.Join(dir, "docker-credential-"+name), []byte("#!/bin/sh\nread host\n"+script), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestCredentials(t *testing.T) {
	auths := func(host, entry string) string { return `{"auths": {"` + host + `": ` + entry + `}}` }
	basic := `{"auth": "` + base64.StdEncoding.EncodeToString([]byte("me:s3cret")) + `"}`
	me := func(host string) registry.AuthConfig {
		return registry.AuthConfig{Username: "me", Password: "s3cret", ServerAddress: host}
	}
	const hub = "https://index.docker.io/v1/"
	for name, c := range map[string]struct {
		config, ref string
		want        registry.AuthConfig
	}{
		"no configuration":   {"", "registry.test/app", registry.AuthConfig{}},
		"another registry":   {auths("other.test", basic), "registry.test/app", registry.AuthConfig{}},
		"stored":             {auths("registry.test", basic), "registry.test/app:v1", me("registry.test")},
		"with a port":        {auths("registry.test:5000", basic), "registry.test:5000/a/b@sha256:" + digest, me("registry.test:5000")},
		"stored as a URL":    {auths("https://registry.test/v1/", basic), "registry.test/app", me("registry.test")},
		"Docker Hub":         {auths(hub, basic), "app", me(hub)},
		"identity token":     {auths("registry.test", `{"identitytoken": "t"}`), "registry.test/app", registry.AuthConfig{IdentityToken: "t", ServerAddress: "registry.test"}},
		"malformed image":    {auths("registry.test", basic), "Not A Reference", registry.AuthConfig{}},
		"helper for all":     {`{"credsStore": "test"}`, "helped.test/app", registry.AuthConfig{Username: "helped", Password: "helped.test", ServerAddress: "helped.test"}},
		"helper for one":     {`{"credHelpers": {"helped.test": "test"}}`, "helped.test/app", registry.AuthConfig{Username: "helped", Password: "helped.test", ServerAddress: "helped.test"}},
		"helper for another": {`{"credHelpers": {"helped.test": "test"}}`, "registry.test/app", registry.AuthConfig{}},
		"helper's token":     {`{"credHelpers": {"token.test": "test"}}`, "token.test/app", registry.AuthConfig{IdentityToken: "t", ServerAddress: "token.test"}},
		"helper has none":    {`{"credsStore": "test"}`, "none.test/app", registry.AuthConfig{}},
	} {
		t.Run(name, func(t *testing.T) {
			configure(t, c.config)
			helper(t, "test", `case $host in
none.test) echo "credentials not found in native keychain"; exit 1;;
token.test) echo '{"Username": "<token>", "Secret": "t"}';;
*) echo "{\"Username\": \"helped\", \"Secret\": \"$host\"}";;
esac`)
			got, err := docker.Credentials(c.ref)
			check(t, err)
			if c.want == (registry.AuthConfig{}) {
				if got != "" {
					t.Errorf("got %s, want none", decoded(t, got))
				}
				return
			}
			if auth := decoded(t, got); auth != c.want {
				t.Errorf("got %+v, want %+v", auth, c.want)
			}
		})
	}
}

const digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func decoded(t *testing.T, header string) registry.AuthConfig {
	t.Helper()
	raw, err := base64.URLEncoding.DecodeString(header)
	check(t, err)
	var auth registry.AuthConfig
	check(t, json.Unmarshal(raw, &auth))
	return auth
}

func TestPullSendsCredentials(t *testing.T) {
	configure(t, `{"credsStore": "test"}`)
	helper(t, "test", `echo '{"Username": "me", "Secret": "s3cret"}'`)
	d := newDaemon(t)
	var header string
	d.handle("POST /images/create", func(_ http.ResponseWriter, r *http.Request) { header = r.Header.Get("X-Registry-Auth") })
	check(t, d.open(t).Pull(t.Context(), "registry.test/app:v1", nil))
	want := registry.AuthConfig{Username: "me", Password: "s3cret", ServerAddress: "registry.test"}
	if got := decoded(t, header); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestPullWithABrokenHelper(t *testing.T) {
	configure(t, `{"credsStore": "test"}`)
	helper(t, "test", `echo "keychain is locked" >&2; exit 1`)
	d := newDaemon(t)
	d.handle("POST /images/create", stream(begun))
	e := d.open(t)
	check(t, e.Pull(t.Context(), "registry.test/public:v1", nil)) // needs none
	d.answer("POST /images/create", http.StatusUnauthorized, message("authentication required"))
	contains(t, e.Pull(t.Context(), "registry.test/app:v1", nil), engine.ErrUnauthorized, "authentication required", "keychain is locked")
}
