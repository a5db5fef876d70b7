package docker

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// tlsFiles is a folder with ca.pem, cert.pem and key.pem, each of which may be absent.
type tlsFiles struct {
	dir      string
	insecure bool // don't verify the engine's certificate
}

// envTLS returns what DOCKER_CERT_PATH and DOCKER_TLS_VERIFY ask for, by the
// docker command's rules; nil: no TLS.
func (s surroundings) envTLS() *tlsFiles {
	dir, verify := s.getenv("DOCKER_CERT_PATH"), s.getenv("DOCKER_TLS_VERIFY") != ""
	if dir == "" && !verify {
		return nil
	}
	if dir == "" {
		dir = s.configDir()
	}
	return &tlsFiles{dir: dir, insecure: !verify}
}

func (t tlsFiles) load() (*tls.Config, error) {
	cfg := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: t.insecure}
	ca, err := os.ReadFile(filepath.Join(t.dir, "ca.pem"))
	switch {
	case err == nil:
		cfg.RootCAs = x509.NewCertPool()
		if !cfg.RootCAs.AppendCertsFromPEM(ca) {
			return nil, fmt.Errorf("no certificate in %s", filepath.Join(t.dir, "ca.pem"))
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	pair, err := tls.LoadX509KeyPair(filepath.Join(t.dir, "cert.pem"), filepath.Join(t.dir, "key.pem"))
	switch {
	case err == nil:
		cfg.Certificates = []tls.Certificate{pair}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("reading the client's certificate: %w", err)
	}
	return cfg, nil
}
