package kindenv

import (
	"fmt"
	"os"
	"reflect"
	"slices"

	"github.com/distribution/reference"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/name"
	"github.com/magekind/magekind/templates"
)

// checkSettings checks what needs no other file, and fills defaults.
func (e *Environment) checkSettings() error {
	if e.cfg.Timeout == 0 {
		e.cfg.Timeout = DefaultTimeout
	}
	if e.cfg.Timeout < 0 {
		return invalid("Timeout", "%s is negative; give a positive duration, or none for %s", e.cfg.Timeout, DefaultTimeout)
	}
	if err := e.checkRuntime(); err != nil {
		return err
	}
	if err := checkImage("NodeImage", e.cfg.NodeImage); err != nil {
		return err
	}
	for i, image := range e.cfg.Images {
		if image == "" {
			return invalid(fmt.Sprintf("Images[%d]", i), "it is empty; give the reference of a local image, such as localhost/app:dev")
		}
		if err := checkImage(fmt.Sprintf("Images[%d]", i), image); err != nil {
			return err
		}
	}
	if slices.Contains(e.cfg.Manifests, "") {
		return invalid("Manifests", "one is empty; give files, folders or URLs")
	}
	return nil
}

func (e *Environment) checkRuntime() error {
	runtime, field := e.runtime(), "Runtime"
	if e.cfg.Runtime == "" {
		field = "KIND_EXPERIMENTAL_PROVIDER"
	}
	if runtime == "" {
		return nil
	}
	if err := kind.CheckRuntime(runtime); err != nil {
		return invalid(field, "%w; give one of them, or none for the first that is reachable", err)
	}
	return nil
}

// runtime is the container runtime asked for; empty: whichever is reachable.
func (e *Environment) runtime() string {
	if e.cfg.Runtime != "" {
		return e.cfg.Runtime
	}
	return e.deps.env("KIND_EXPERIMENTAL_PROVIDER")
}

// invalid is the error about a field of [Config].
func invalid(field, format string, args ...any) error {
	return fmt.Errorf("%s: %w", field, fmt.Errorf(format, args...))
}

func checkImage(field, image string) error {
	if image == "" {
		return nil
	}
	if _, err := reference.ParseAnyReference(image); err != nil {
		return fmt.Errorf("%s %q: %w; give a reference such as %s", field, image, err, kind.DefaultImage)
	}
	return nil
}

// setCluster reads the user's kind config, or renders ours.
func (e *Environment) setCluster() error {
	var err error
	if e.cfg.ConfigFile == "" {
		err = e.renderCluster()
	} else {
		err = e.readConfigFile()
	}
	if err != nil {
		return err
	}
	e.shape, err = templates.Inspect(e.config)
	if err != nil {
		return fmt.Errorf("ConfigFile %q: %w", e.cfg.ConfigFile, err)
	}
	return nil
}

func (e *Environment) renderCluster() error {
	own := &e.cfg.Cluster
	if e.cfg.NodeImage != "" && own.NodeImage != "" && e.cfg.NodeImage != own.NodeImage {
		return fmt.Errorf("NodeImage %q and Cluster.NodeImage %q differ: give one of them", e.cfg.NodeImage, own.NodeImage)
	}
	var err error
	if e.config, err = templates.Kind(*own); err != nil {
		return invalid("Cluster", "%w", err)
	}
	return nil
}

func (e *Environment) readConfigFile() error {
	if !reflect.ValueOf(e.cfg.Cluster).IsZero() {
		return fmt.Errorf("ConfigFile %q and Cluster are both given: a kind configuration of one's own is used as it is, so leave Cluster empty", e.cfg.ConfigFile)
	}
	raw, err := os.ReadFile(e.cfg.ConfigFile)
	if err != nil {
		return fmt.Errorf("ConfigFile: %w; give the path of a kind configuration, or none for one that is made from Cluster", err)
	}
	e.config = raw
	return nil
}

func (e *Environment) setName() error {
	inFile := e.shape.Name
	if inFile != "" && e.cfg.Name != "" && inFile != e.cfg.Name {
		return fmt.Errorf("Name %q conflicts with the name %q in ConfigFile %q: give one of them", e.cfg.Name, inFile, e.cfg.ConfigFile)
	}
	explicit, fromEnv := e.cfg.Name, e.deps.env("KIND_CLUSTER_NAME")
	if explicit == "" && fromEnv == "" {
		explicit = inFile
	}
	resolved, err := name.Resolve(explicit, fromEnv, e.cfg.Dir)
	if err != nil {
		return err
	}
	e.name = resolved
	return name.Check(resolved, e.shape.ControlPlanes)
}

func (e *Environment) setCloudProvider() error {
	cp := &e.cfg.CloudProvider
	if reflect.ValueOf(*cp).IsZero() {
		*cp = cloudprovider.DefaultConfig()
	}
	if cp.ClusterName != "" && cp.ClusterName != e.name {
		return fmt.Errorf("CloudProvider.ClusterName %q: leave it empty, it is set to the cluster's name, %q", cp.ClusterName, e.name)
	}
	cp.ClusterName = e.name
	if err := e.setNetwork(); err != nil && !e.cfg.NoCloudProvider {
		return err
	}
	if cp.ResolveImage == nil {
		cp.ResolveImage = e.cfg.ResolveImage
	}
	if cp.CacheDir == "" {
		cp.CacheDir = e.deps.cacheDir()
	}
	if err := cp.Validate(); err != nil && !e.cfg.NoCloudProvider {
		return invalid("CloudProvider", "%w", err)
	}
	return nil
}

// kindNetwork is the network of kind's nodes unless networkVariable names another one.
const (
	kindNetwork     = "kind"
	networkVariable = "KIND_EXPERIMENTAL_DOCKER_NETWORK"
)

// setNetwork puts the cloud provider on the network of the nodes, which is kind's to choose.
func (e *Environment) setNetwork() error {
	cp, nodes := &e.cfg.CloudProvider, e.network()
	if cp.Network != "" && cp.Network != kindNetwork && cp.Network != nodes {
		return fmt.Errorf("CloudProvider.Network %q: the nodes are on network %q, as %s says to kind, and their load balancers have to be too; leave it empty, or set %s=%s for both",
			cp.Network, nodes, networkVariable, networkVariable, cp.Network)
	}
	cp.Network = nodes
	return nil
}
