package kube

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// kubeconfig is the part of /etc/kubernetes/admin.conf that is used: kubeadm
// writes one cluster and one user, with everything inline.
type kubeconfig struct {
	Clusters []struct {
		Cluster struct {
			Server string `json:"server"`
			CA     []byte `json:"certificate-authority-data"`
		} `json:"cluster"`
	} `json:"clusters"`
	Users []struct {
		User struct {
			Cert []byte `json:"client-certificate-data"`
			Key  []byte `json:"client-key-data"`
		} `json:"user"`
	} `json:"users"`
}

// NewClient returns a client for the API server that an admin.conf names.
func NewClient(adminConf string) (*Client, error) {
	var k kubeconfig
	if err := yaml.Unmarshal([]byte(adminConf), &k); err != nil {
		return nil, fmt.Errorf("reading admin.conf: %w", err)
	}
	if len(k.Clusters) != 1 || len(k.Users) != 1 {
		return nil, errors.New("reading admin.conf: want one cluster and one user in it")
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(k.Clusters[0].Cluster.CA) {
		return nil, errors.New("reading admin.conf: no certificate authority in it")
	}
	pair, err := tls.X509KeyPair(k.Users[0].User.Cert, k.Users[0].User.Key)
	if err != nil {
		return nil, fmt.Errorf("reading admin.conf: client certificate: %w", err)
	}
	transport := &http.Transport{
		TLSClientConfig:       &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:     true,
		ResponseHeaderTimeout: 30 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		IdleConnTimeout:       time.Minute,
		HTTP2:                 &http.HTTP2Config{SendPingTimeout: 15 * time.Second},
	}
	return &Client{base: strings.TrimSuffix(k.Clusters[0].Cluster.Server, "/"), http: &http.Client{Transport: transport}}, nil
}
