package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"sigs.k8s.io/yaml"
)

// kubeletConfig is the kubeconfig that kubeadm writes for the kubelet.
const kubeletConfig = "/etc/kubernetes/kubelet.conf"

// kubeconfig is the part of a kubeconfig file with one cluster and one user that
// is used here.
type kubeconfig struct {
	Clusters []struct {
		Cluster struct {
			Server    string `json:"server"`
			Authority string `json:"certificate-authority-data"`
		} `json:"cluster"`
	} `json:"clusters"`
	Users []struct {
		User struct {
			CertificateFile string `json:"client-certificate"`
			Certificate     string `json:"client-certificate-data"`
			KeyFile         string `json:"client-key"`
			Key             string `json:"client-key-data"`
		} `json:"user"`
	} `json:"users"`
}

// connect makes a client of the kubeconfig file and returns it with the server's
// address. The file is read each time, for the kubelet renews its certificate.
func connect(path string) (*http.Client, string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	var config kubeconfig
	if err := yaml.Unmarshal(text, &config); err != nil {
		return nil, "", fmt.Errorf("read %q: %w", path, err)
	}
	if len(config.Clusters) == 0 || len(config.Users) == 0 {
		return nil, "", fmt.Errorf("read %q: no cluster or no user in it", path)
	}
	cluster, user := config.Clusters[0].Cluster, config.Users[0].User
	certificate, err1 := load(user.CertificateFile, user.Certificate)
	key, err2 := load(user.KeyFile, user.Key)
	authority, err3 := load("", cluster.Authority)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, "", fmt.Errorf("read %q: %w", path, err)
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, "", fmt.Errorf("read %q: %w", path, err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}}}
	return &http.Client{Transport: transport, Timeout: 10 * time.Second}, cluster.Server, nil
}

// load returns the content of file, or without one the decoded data.
func load(file, data string) ([]byte, error) {
	if file != "" {
		return os.ReadFile(file)
	}
	return base64.StdEncoding.DecodeString(data)
}
