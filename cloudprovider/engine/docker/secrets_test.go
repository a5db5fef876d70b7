package docker_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// secret is what no error may show.
const secret = "hunter2-0123"

// discreet fails when err is none, or shows the secret in any form.
func discreet(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Fatal("got no error")
	}
	for _, form := range []string{secret, base64.StdEncoding.EncodeToString([]byte("me:" + secret)), "hunter2"} {
		if strings.Contains(err.Error(), form) {
			t.Errorf("the error shows a credential: %v", err)
		}
	}
}

// TestPullErrorsShowNoCredentials: an engine or a registry may repeat what it was given.
func TestPullErrorsShowNoCredentials(t *testing.T) {
	auth := base64.StdEncoding.EncodeToString([]byte("me:" + secret))
	for name, config := range map[string]string{
		"auth":           `{"auths": {"registry.test": {"auth": "` + auth + `"}}}`,
		"password":       `{"auths": {"registry.test": {"username": "me", "password": "` + secret + `"}}}`,
		"identity token": `{"auths": {"registry.test": {"identitytoken": "` + secret + `"}}}`,
		"helper":         `{"credsStore": "test"}`,
	} {
		t.Run(name, func(t *testing.T) {
			configure(t, config)
			helper(t, "test", `echo '{"Username": "me", "Secret": "`+secret+`"}'`)
			d := newDaemon(t)
			e := d.open(t)
			for _, says := range []string{
				"unauthorized: password " + secret + " of me is wrong",
				"Get https://me:" + secret + "@registry.test/v2/: EOF",
				"GET with Authorization: Basic " + auth,
				"token " + secret + " has expired",
			} {
				d.answer("POST /images/create", http.StatusInternalServerError, message(says))
				discreet(t, e.Pull(t.Context(), "registry.test/app:v1", nil))
				d.handle("POST /images/create", stream(begun, fmt.Sprintf(`{"errorDetail":{"message":%q}}`, says)))
				discreet(t, e.Pull(t.Context(), "registry.test/app:v1", nil))
			}
		})
	}
}

// TestPullErrorsShowNoOutputOfAHelper that has failed after it printed the credentials.
func TestPullErrorsShowNoOutputOfAHelper(t *testing.T) {
	d := newDaemon(t)
	d.answer("POST /images/create", http.StatusUnauthorized, message("authentication required"))
	for name, script := range map[string]string{
		"fails after":   `echo '{"Username": "me", "Secret": "` + secret + `"}'; exit 3`,
		"on stderr":     `echo '{"Secret": "` + secret + `"}' >&2; exit 3`,
		"is no JSON":    `echo '{"Username": "me", "Secret": "` + secret + `"'`,
		"is of a type":  `echo '{"Username": ["` + secret + `"]}'`,
		"is a bare one": `echo '"` + secret + `"'`,
	} {
		t.Run(name, func(t *testing.T) {
			configure(t, `{"credsStore": "test"}`)
			helper(t, "test", script)
			discreet(t, d.open(t).Pull(t.Context(), "registry.test/app:v1", nil))
		})
	}
}

func TestConfigurationErrorsShowNoCredentials(t *testing.T) {
	d := newDaemon(t)
	d.answer("POST /images/create", http.StatusUnauthorized, message("authentication required"))
	for name, config := range map[string]string{
		"broken":        `{"auths": {"registry.test": {"auth": "` + secret + `"}}`,
		"of a type":     `{"auths": {"registry.test": "` + secret + `"}}`,
		"not base64":    `{"auths": {"registry.test": {"auth": "` + secret + `!"}}}`,
		"without colon": `{"auths": {"registry.test": {"auth": "` + base64.StdEncoding.EncodeToString([]byte(secret)) + `"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			configure(t, config)
			discreet(t, d.open(t).Pull(t.Context(), "registry.test/app:v1", nil))
		})
	}
}

// TestOpenErrorsShowNoPassword of an endpoint, wherever it was named.
func TestOpenErrorsShowNoPassword(t *testing.T) {
	t.Parallel()
	for _, host := range []string{
		"tcp://me:" + secret + "@127.0.0.1:1", "ssh://me:" + secret + "@host", "http://me:" + secret + "@127.0.0.1:1",
		"tcp://me:" + secret + " @127.0.0.1:1", "tcp://me:%zz" + secret + "@127.0.0.1:1", "tcp://me:a/" + secret + "@127.0.0.1:1",
	} {
		home := t.TempDir()
		writeContext(t, filepath.Join(home, ".docker"), "mine", host)
		for _, h := range []docker.Host{
			{Home: home, GOOS: "linux", Sockets: []string{}, Env: map[string]string{"DOCKER_HOST": host}},
			{Home: home, GOOS: "linux", Sockets: []string{}, Env: map[string]string{"DOCKER_CONTEXT": "mine"}},
		} {
			_, err := h.Open(t.Context(), docker.Options{})
			discreet(t, err)
			_, err = h.Open(t.Context(), docker.Options{Kind: engine.Podman})
			discreet(t, err)
		}
		_, err := docker.Host{Home: home, GOOS: "linux", Sockets: []string{}}.Open(t.Context(), docker.Options{Host: host})
		discreet(t, err)
	}
}

// FuzzConfiguration: any configuration and context of the docker command is read
// or refused, and an error shows no credential of it.
func FuzzConfiguration(f *testing.F) {
	auth := base64.StdEncoding.EncodeToString([]byte("me:" + secret))
	for _, config := range []string{
		`{"auths": {"registry.test": {"auth": "` + auth + `"}}, "currentContext": "mine"}`, `{"currentContext": "mine"`, "", "{}", "[]", "null",
		`{"auths": {"registry.test": {"auth": "` + secret + `"}}}`, `{"auths": {"https://registry.test/v1/": {"identitytoken": "` + secret + `"}}}`,
		`{"credHelpers": {"registry.test": "../../x"}}`, `{"credsStore": "-x"}`, `{"currentContext": "` + secret + `"}`, "\xff\x00",
		`{"auths": ["` + secret + `"]}`, `{"auths": {"registry.test": {"username": 1` + secret + `}}}`,
	} {
		f.Add([]byte(config), []byte(`{"Endpoints": {"docker": {"Host": "tcp://me:`+secret+`@127.0.0.1:1"}}}`))
		f.Add([]byte(`{"currentContext": "mine"}`), []byte(config))
	}
	home := f.TempDir()
	f.Setenv("DOCKER_CONFIG", filepath.Join(home, ".docker"))
	f.Setenv("PATH", home) // no helper is there to run
	f.Fuzz(func(t *testing.T, config, meta []byte) {
		id := writeContext(t, filepath.Join(home, ".docker"), "mine", "")
		write(t, filepath.Join(home, ".docker", "config.json"), string(config))
		write(t, filepath.Join(home, ".docker", "contexts", "meta", id, "meta.json"), string(meta))
		h := docker.Host{Home: home, GOOS: "linux", Sockets: []string{}, Env: map[string]string{}}
		if got := h.Candidates(docker.Options{}); len(got) > 1 {
			t.Errorf("got %q, want the context's endpoint or none", got)
		}
		if _, err := docker.Credentials("registry.test/app"); err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("the error shows a credential: %v", err)
		}
	})
}
