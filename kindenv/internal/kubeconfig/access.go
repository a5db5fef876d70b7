// Package kubeconfig writes kubeconfig files without ever losing what is in them:
// the own file of a cluster, and its entries in the user's default one, by the rules
// of kubectl. It works on YAML nodes and needs no client-go.
package kubeconfig

import (
	"encoding/base64"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

// Access is what a client needs to talk to the API server of a cluster.
type Access struct {
	Server string // https://host:port
	CA     []byte // PEM, the authority that signed the server's certificate
	Cert   []byte // PEM, the client's certificate
	Key    []byte // PEM, the key of Cert
}

// document holds the fields of a kubeconfig that Parse reads.
type document struct {
	CurrentContext string `yaml:"current-context"`
	Clusters       []struct {
		Name    string `yaml:"name"`
		Cluster struct {
			Server string `yaml:"server"`
			CA     string `yaml:"certificate-authority-data"`
		} `yaml:"cluster"`
	} `yaml:"clusters"`
	Users []struct {
		Name string `yaml:"name"`
		User struct {
			Cert string `yaml:"client-certificate-data"`
			Key  string `yaml:"client-key-data"`
		} `yaml:"user"`
	} `yaml:"users"`
	Contexts []struct {
		Name    string `yaml:"name"`
		Context struct {
			Cluster string `yaml:"cluster"`
			User    string `yaml:"user"`
		} `yaml:"context"`
	} `yaml:"contexts"`
}

// Parse reads the access of raw's current context. Only what kind writes is
// understood: certificates as data, no files, tokens or credential plugins.
func Parse(raw []byte) (Access, error) {
	var doc document
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return Access{}, fmt.Errorf("parse kubeconfig: %w", redact.Error(err)) // it quotes values
	}
	access, err := doc.access()
	if err != nil {
		return Access{}, fmt.Errorf("read access from kubeconfig: %w", err)
	}
	return access, nil
}

func (d *document) access() (Access, error) {
	var a Access
	cluster, user, err := d.current()
	if err != nil {
		return a, err
	}
	for _, c := range d.Clusters {
		if c.Name == cluster {
			a.Server = c.Cluster.Server
			a.CA, err = decode("certificate-authority-data", c.Cluster.CA, err)
			break
		}
	}
	for _, u := range d.Users {
		if u.Name == user {
			a.Cert, err = decode("client-certificate-data", u.User.Cert, err)
			a.Key, err = decode("client-key-data", u.User.Key, err)
			break
		}
	}
	switch {
	case err != nil:
		return Access{}, err
	case a.Server == "":
		return Access{}, fmt.Errorf("no server for cluster %q", cluster)
	case a.Key == nil:
		return Access{}, fmt.Errorf("no client certificate for user %q", user)
	}
	return a, nil
}

// current returns the names of the current context's cluster and user.
func (d *document) current() (cluster, user string, err error) {
	if d.CurrentContext == "" {
		return "", "", errors.New("no current-context")
	}
	for _, c := range d.Contexts {
		if c.Name == d.CurrentContext {
			return c.Context.Cluster, c.Context.User, nil
		}
	}
	return "", "", fmt.Errorf("current-context %q is not among the contexts", d.CurrentContext)
}

// decode decodes the value of field, unless an earlier field has failed.
func decode(field, value string, earlier error) ([]byte, error) {
	if earlier != nil {
		return nil, earlier
	}
	if value == "" {
		return nil, fmt.Errorf("%s is missing", field)
	}
	data, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", field, err)
	}
	return data, nil
}
