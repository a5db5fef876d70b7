package docker_test

import (
	"crypto/tls"
	"encoding/pem"
	"io"
	"log"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

// overTCP serves a daemon on a TCP port too.
func overTCP(t *testing.T, d *daemon) string {
	t.Helper()
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "http://", "tcp://", 1)
}

// overTLS serves a daemon with a certificate, and returns its endpoint and the certificate.
func overTLS(t *testing.T, d *daemon) (host, ca string) {
	t.Helper()
	server := httptest.NewUnstartedServer(d)
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // clients that refuse are part of the test
	server.StartTLS()
	t.Cleanup(server.Close)
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return strings.Replace(server.URL, "https://", "tcp://", 1), string(block)
}

func TestOpenWithTLS(t *testing.T) {
	t.Parallel()
	host, ca := overTLS(t, newDaemon(t))
	known, unknown := t.TempDir(), t.TempDir()
	write(t, filepath.Join(known, "ca.pem"), ca)
	for name, c := range map[string]struct {
		env map[string]string
		ok  bool
	}{
		"verified":                {map[string]string{"DOCKER_CERT_PATH": known, "DOCKER_TLS_VERIFY": "1"}, true},
		"signed by somebody else": {map[string]string{"DOCKER_CERT_PATH": unknown, "DOCKER_TLS_VERIFY": "1"}, false},
		"not verified":            {map[string]string{"DOCKER_CERT_PATH": unknown}, true},
		"without TLS":             {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.env = merge(c.env, "DOCKER_HOST", host)
			h := docker.Host{Env: c.env, Home: t.TempDir(), GOOS: "linux", Sockets: []string{}}
			e, err := h.Open(t.Context(), docker.Options{})
			if !c.ok {
				contains(t, err, engine.ErrUnavailable, host)
				return
			}
			check(t, err)
			check(t, e.Close())
		})
	}
}

func TestOpenWithTheContextsTLS(t *testing.T) {
	t.Parallel()
	host, ca := overTLS(t, newDaemon(t))
	home := t.TempDir()
	id := writeContext(t, filepath.Join(home, ".docker"), "away", host)
	write(t, filepath.Join(home, ".docker", "contexts", "tls", id, "docker", "ca.pem"), ca)
	h := docker.Host{Env: map[string]string{"DOCKER_CONTEXT": "away"}, Home: home, GOOS: "linux", Sockets: []string{}}
	e, err := h.Open(t.Context(), docker.Options{})
	check(t, err)
	check(t, e.Close())
}

func TestOpenRefusesBadCertificates(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "ca.pem"), "no certificate")
	env := map[string]string{"DOCKER_CERT_PATH": dir, "DOCKER_HOST": overTCP(t, newDaemon(t))}
	_, err := docker.Host{Env: env, GOOS: "linux", Sockets: []string{}}.Open(t.Context(), docker.Options{})
	contains(t, err, engine.ErrUnavailable, "no certificate in "+filepath.Join(dir, "ca.pem"))
}

func merge(vars map[string]string, key, value string) map[string]string {
	all := map[string]string{key: value}
	for k, v := range vars {
		all[k] = v
	}
	return all
}
