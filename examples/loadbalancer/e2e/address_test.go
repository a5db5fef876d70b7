//go:build e2e

package e2e

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"

	"sigs.k8s.io/yaml"

	"github.com/magekind/magekind/kindenv"
)

const service = "/api/v1/namespaces/default/services/hello"

// addresses are where the load balancer may be reached from here: at the
// Service's own address where the engine shares this machine's network, and at
// the ports that the engine publishes where it does not (Docker Desktop and its like).
func addresses(ctx context.Context, env *kindenv.Environment) ([]string, error) {
	var found struct {
		Status struct {
			LoadBalancer struct {
				Ingress []struct {
					IP string `json:"ip"`
				} `json:"ingress"`
			} `json:"loadBalancer"`
		} `json:"status"`
	}
	if err := ask(ctx, env.Kubeconfig(), service, &found); err != nil {
		return nil, err
	}
	var urls []string
	for _, ingress := range found.Status.LoadBalancer.Ingress {
		urls = append(urls, "http://"+net.JoinHostPort(ingress.IP, "80"))
	}
	if len(urls) == 0 {
		return nil, errors.New("the Service has no address yet")
	}
	balancers, err := env.LoadBalancers(ctx)
	for _, balancer := range balancers {
		for _, port := range balancer.Ports {
			if port.ContainerPort == 80 && port.Host.Addr().Is4() {
				urls = append(urls, "http://127.0.0.1:"+strconv.Itoa(int(port.Host.Port())))
			}
		}
	}
	return urls, err
}

// ask gets an object from the API server that a kubeconfig leads to.
func ask(ctx context.Context, kubeconfig, path string, into any) error {
	server, client, err := connect(kubeconfig)
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server+path, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s", path, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(into)
}

// connect reads the environment's own kubeconfig, which has one cluster and one user.
func connect(kubeconfig string) (server string, client *http.Client, err error) {
	raw, err := os.ReadFile(kubeconfig)
	if err != nil {
		return "", nil, err
	}
	var config struct {
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
	if err := yaml.Unmarshal(raw, &config); err != nil {
		return "", nil, err
	}
	if len(config.Clusters) != 1 || len(config.Users) != 1 {
		return "", nil, fmt.Errorf("%s has not just one cluster and one user", kubeconfig)
	}
	pair, err := tls.X509KeyPair(config.Users[0].User.Cert, config.Users[0].User.Key)
	if err != nil {
		return "", nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(config.Clusters[0].Cluster.CA)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}}}
	return config.Clusters[0].Cluster.Server, &http.Client{Transport: transport}, nil
}
