package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// runHere runs the command; the context is over, so that serving ends at once.
func runHere(t *testing.T, env map[string]string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, log bytes.Buffer
	err = run(ctx, args, func(key string) string { return env[key] }, strings.NewReader(""), &out, &log)
	return out.String(), log.String(), err
}

func TestSaysWhatItIs(t *testing.T) {
	t.Setenv("PATH", filepath.Join(t.TempDir(), "nothing"))
	out, _, err := runHere(t, nil, "--help")
	if err != nil || !strings.HasPrefix(out, intro) {
		t.Errorf("got help %q and error %v, want it to start with %q", out, err, intro)
	}
	_, log, _ := runHere(t, map[string]string{proxyImageEnv: "me"}, "--gateway-channel=disabled", "-v", "3")
	first, _, _ := strings.Cut(log, "\n")
	if !strings.HasSuffix(first, intro) {
		t.Errorf("got first line %q, want it to end with %q", first, intro)
	}
	for _, want := range []string{
		`FLAG: --gateway-channel="disabled"`, `FLAG: --verbosity="3"`, `FLAG: --enable-default-ingress="true"`,
		`FLAG: --enable-lb-port-mapping="false"`, `FLAG: --enable-log-dumping="false"`,
	} {
		if !strings.Contains(log, want) {
			t.Errorf("got no %q in the log:\n%s", want, log)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"flag that never existed": {[]string{"--gateway-api-channel=standard"}, "unknown flag: --gateway-api-channel"},
		"another one":             {[]string{"--enable-ingress-default=false"}, "unknown flag: --enable-ingress-default"},
		"channel":                 {[]string{"--gateway-channel=beta"}, `unknown gateway channel "beta"`},
		"argument":                {[]string{"start"}, `unknown command "start"`},
		"no proxy image":          {nil, proxyImageEnv},
		"no image to list":        {[]string{"list-images"}, proxyImageEnv},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := runHere(t, nil, tc.args...)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got error %v, want it to say %q", err, tc.want)
			}
		})
	}
}

func TestListImages(t *testing.T) {
	t.Parallel()
	out, _, err := runHere(t, map[string]string{proxyImageEnv: "localhost/x:1"}, "list-images")
	if got, want := out, "localhost/x:1\n"; got != want || err != nil {
		t.Errorf("got %q and error %v, want %q", got, err, want)
	}
}
