package kindtest

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// API is an API server of a cluster that is ready, with one control plane and
// what the cloud provider makes. What it answers can be changed. It asks for
// the client's certificate, as real ones do.
type API struct {
	URL string // https://127.0.0.1:port
	// Dial connects to a server that listens in memory; nil: it listens on URL.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	cert, key []byte // PEM; of the server, the client and the authority alike

	mu      sync.Mutex
	answers map[string]string
	asked   []string
}

// NewAPI starts an API server for the time of a test, with nodes of these names.
func NewAPI(t *testing.T, nodes ...string) *API {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return serveAPI(t, listener, nodes)
}

func serveAPI(t *testing.T, listener net.Listener, nodes []string) *API {
	t.Helper()
	a := &API{URL: "https://" + listener.Addr().String(), answers: readyAnswers(nodes)}
	server := &http.Server{
		Handler:           a,
		TLSConfig:         &tls.Config{Certificates: []tls.Certificate{a.certify(t)}, ClientAuth: tls.RequireAnyClientCert, MinVersion: tls.VersionTLS12, CurvePreferences: []tls.CurveID{tls.X25519}},
		ErrorLog:          log.New(io.Discard, "", 0), // of clients that hang up
		ReadHeaderTimeout: time.Minute,
	}
	go func() { _ = server.ServeTLS(listener, "", "") }() // until it is closed
	t.Cleanup(func() { _ = server.Close() })
	return a
}

// Answer sets the answer for a path: JSON or text; empty: status 404.
func (a *API) Answer(path, body string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answers[path] = body
}

// Asked returns the requests so far, as "GET /path".
func (a *API) Asked() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string(nil), a.asked...)
}

// ServeHTTP answers a request. What is posted is there from then on; a patch changes nothing.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	content, _ := io.ReadAll(r.Body)
	a.mu.Lock()
	a.asked = append(a.asked, r.Method+" "+r.URL.Path)
	if r.Method == http.MethodPost {
		a.keep(r.URL.Path, content)
	}
	body := a.answers[r.URL.Path]
	a.mu.Unlock()
	switch {
	case r.Method == http.MethodPost:
		w.WriteHeader(http.StatusCreated)
	case body == "":
		http.Error(w, `{"message":"there is no `+r.URL.Path+`"}`, http.StatusNotFound)
	case body == Broken:
		http.Error(w, `{"message":"etcd is on fire"}`, http.StatusInternalServerError)
	case body == Renewed:
		_, _ = fmt.Fprintf(w, `{"spec":{"renewTime":%q}}`, time.Now().UTC().Format(time.RFC3339Nano))
	default:
		_, _ = io.WriteString(w, body)
	}
}

// keep stores a posted object. a.mu is held.
func (a *API) keep(path string, content []byte) {
	var object struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if json.Unmarshal(content, &object) == nil {
		a.answers[path+"/"+object.Metadata.Name] = string(content)
	}
}

// Broken is an answer that stands for an internal error of the server.
const Broken = "!"

// Renewed is an answer that stands for a lease that is renewed just now.
const Renewed = "~"

// Kubeconfig returns a kubeconfig for the server, with the context of a cluster.
func (a *API) Kubeconfig(cluster string) []byte {
	encode := base64.StdEncoding.EncodeToString
	return fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters:
- name: kind-%[1]s
  cluster:
    certificate-authority-data: %[3]s
    server: %[2]s
contexts:
- name: kind-%[1]s
  context:
    cluster: kind-%[1]s
    user: kind-%[1]s
current-context: kind-%[1]s
users:
- name: kind-%[1]s
  user:
    client-certificate-data: %[3]s
    client-key-data: %[4]s
`, cluster, a.URL, encode(a.cert), encode(a.key))
}

// certify makes one certificate that serves as the server's, the client's and the authority's.
func (a *API) certify(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(1000 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	a.cert = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	a.key = pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private})
	pair, err := tls.X509KeyPair(a.cert, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return pair
}
