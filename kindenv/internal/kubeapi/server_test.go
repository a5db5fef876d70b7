package kubeapi_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kubeapi"
	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

// answers are the bodies that an API server gives by path. A body that begins
// with a digit is a status code and a body.
type answers map[string]string

func (a answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, ok := a[r.URL.RequestURI()]
	switch {
	case !ok:
		w.WriteHeader(http.StatusNotFound)
		body = `{"kind":"Status","message":"the server could not find the requested resource","code":404}`
	case body[0] >= '0' && body[0] <= '9':
		code := 100*int(body[0]-'0') + 10*int(body[1]-'0') + int(body[2]-'0')
		w.WriteHeader(code)
		body = body[4:]
	}
	_, _ = w.Write([]byte(body))
}

// serve starts an API server that wants the client certificate of the access
// that it returns.
func serve(t *testing.T, handler http.Handler) (*httptest.Server, kubeconfig.Access) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "kubernetes-admin"},
		NotAfter: time.Now().Add(time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(handler)
	clients := x509.NewCertPool()
	clients.AddCert(certificate)
	server.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: clients}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server, kubeconfig.Access{
		Server: server.URL,
		CA:     pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}),
		Cert:   pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		Key:    pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER}),
	}
}

// ask returns a client of an API server that gives these answers.
func ask(t *testing.T, handler http.Handler) *kubeapi.Client {
	t.Helper()
	_, access := serve(t, handler)
	client, err := kubeapi.New(access, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// matches reports a test failure unless err has the text want, or is nil where
// want is empty.
func matches(t *testing.T, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("got error %q, want %q", got, want)
	}
}
