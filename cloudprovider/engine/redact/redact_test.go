package redact_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

func TestText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "",
		// user information of URLs
		"http://me:s3cret@proxy.test:3128/":                          "http://xxxxx@proxy.test:3128/",
		`Get "https://me:s3cret@registry.test/v2/": EOF`:             `Get "https://xxxxx@registry.test/v2/": EOF`,
		"tcp://me:p@ss@10.0.0.1:2375, and unix:///run/docker.sock":   "tcp://xxxxx@10.0.0.1:2375, and unix:///run/docker.sock",
		"https://ghp_0123456789@git.test/x and https://other.test/@": "https://xxxxx@git.test/x and https://other.test/@",
		// variables
		`docker run -e HTTP_PROXY=http://me:s3cret@p:1 -e https_proxy=me:s3cret@p:1 -e http_proxy=me:a,b@p image`: `docker run -e HTTP_PROXY=http://xxxxx@p:1 -e https_proxy=xxxxx@p:1 -e http_proxy=xxxxx@p image`,
		`command "docker run '-e' 'HTTP_PROXY=http://me:it'"'"'s@p:1' image" failed`:                              `command "docker run '-e' 'HTTP_PROXY=http://xxxxx@p:1' image" failed`,
		"--token abcdef.0123456789abcdef --discovery-token-ca-cert-hash sha256:ab GITHUB_TOKEN=x1y2 next":         "--token xxxxx --discovery-token-ca-cert-hash sha256:ab GITHUB_TOKEN=xxxxx next",
		"https://registry.test/token?service=x&access_token=abc&scope=y, --password=hunter2":                      "https://registry.test/token?service=x&access_token=xxxxx&scope=y, --password=xxxxx",
		// headers and tokens
		"Authorization: Bearer abc.def-123":                                          "Authorization: Bearer xxxxx",
		`map["Authorization":"Basic bWU6czNjcmV0"]`:                                  `map["Authorization":"Basic xxxxx"]`,
		"X-Registry-Auth: eyJ1c2VybmFtZSI6":                                          "X-Registry-Auth: xxxxx",
		"invalid token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0xMg.c2lnbmF0dXJl refused": "invalid token xxxxx refused",
		"bearer 0123456789abcdef0123":                                                "bearer xxxxx",
		// fields
		`{"auths": {"r.test": {"auth": "bWU6czNjcmV0"}}, "identitytoken":"t0ken", "credsStore": "pass"}`: `{"auths": {"r.test": {"auth": "xxxxx"}}, "identitytoken":"xxxxx", "credsStore": "pass"}`,
		`stdout: "{\"Username\":\"me\",\"Secret\":\"s3c\\\"ret\"}"`:                                      `stdout: "{\"Username\":\"me\",\"Secret\":\"xxxxx\"}"`,
		"users:\n- name: a\n  user:\n    client-key-data: LS0tLS1C\n    token: abc\n":                    "users:\n- name: a\n  user:\n    client-key-data: xxxxx\n    token: xxxxx\n",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nnext":                     "-----BEGIN RSA PRIVATE KEY-----xxxxx-----END RSA PRIVATE KEY-----\nnext",
		"line 1: cannot unmarshal !!str `hunter2` into x":                                                "line 1: cannot unmarshal !!str `xxxxx` into x",
		"line 1: cannot unmarshal !hunter2 `` into x":                                                    "line 1: cannot unmarshal !xxxxx `xxxxx` into x",
		"yaml: unknown anchor 'hunter2' referenced":                                                      "yaml: unknown anchor 'xxxxx' referenced",
	} {
		if got := redact.Text(in); got != want {
			t.Errorf("Text(%q)\n got %q\nwant %q", in, got, want)
		}
		if again := redact.Text(want); again != want {
			t.Errorf("Text(%q), of its own result, gives %q", want, again)
		}
	}
}

// TestTextLeavesTheRest: what people need to see of an error or a log stays.
func TestTextLeavesTheRest(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"unauthorized: authentication required", "no basic auth credentials", "token: expired is what it said", `secret "db" not found`,
		"pulling image \"registry.test/app@sha256:" + strings.Repeat("0", 64) + "\": not found", "unix:///var/run/docker.sock",
		"https://kind.sigs.k8s.io/docs/user/known-issues/#pod-errors", "ssh -nNT -L /tmp/docker.sock:/var/run/docker.sock me@host",
		"git@github.com:magekind/magekind", "process 12 (mage env:up), since 2026-01-01 00:00:00", `I1130 "Starting cloud controller" cluster="demo"`,
		"the bearer of bad news", `FLAG: --enable-lb-port-mapping="false"`, "DOCKER_HOST=unix:///run/docker.sock", "a token is needed: log in",
	} {
		if got := redact.Text(text); got != text {
			t.Errorf("got %q, want it as it was: %q", got, text)
		}
	}
}

func TestErrorKeepsWhatItWraps(t *testing.T) {
	t.Parallel()
	inner := fmt.Errorf("pull from https://me:s3cret@r.test with T0K: %w", fs.ErrPermission)
	err := redact.Error(inner, "T0K0", "with", "")
	if got, want := err.Error(), "pull from https://xxxxx@r.test xxxxx T0K: "+fs.ErrPermission.Error(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !errors.Is(err, fs.ErrPermission) || !errors.Is(err, inner) {
		t.Error("what it wraps is lost")
	}
	if plain := errors.New("plain"); redact.Error(plain) != plain || redact.Error(nil) != nil {
		t.Error("an error without a credential became another one")
	}
}

// FuzzText: no password shows from the forms in which kind, docker and engines
// print it, and what is left is not changed again.
func FuzzText(f *testing.F) {
	for _, s := range []string{"s3cret", "p@ss", "a/b", `it's`, `q"q`, "%2F", "*", "日本", "a,b", "x=y", "&", `\`, "://", "-----END"} {
		f.Add("me", s)
	}
	f.Fuzz(func(t *testing.T, user, password string) {
		// what ends a variable, and what could be the text around it
		if len(password) < 4 || strings.ContainsAny(user+password, " \t\n\r\v\f\x00\u0085\u00a0") || strings.Contains(redact.Mark, password) ||
			strings.Contains(user+":"+password, `",`) || strings.Contains(user+":"+password, "',") {
			return
		}
		for _, form := range []string{
			"docker run -e HTTP_PROXY=http://%s:%s@proxy.test:3128 image",
			"docker run -e all_proxy=%s:%s@proxy.test:3128 image",
			`["https_proxy=https://%s:%s@proxy.test"]`,
		} {
			if strings.Contains(fmt.Sprintf(form, "", ""), password) {
				continue
			}
			text := fmt.Sprintf(form, user, password)
			got := redact.Text(text)
			if strings.Contains(got, password) && !strings.Contains(user, password) {
				t.Errorf("Text(%q) = %q", text, got)
			}
			if again := redact.Text(got); again != got {
				t.Errorf("Text(%q) = %q, and again %q", text, got, again)
			}
		}
	})
}
