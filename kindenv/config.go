package kindenv

import (
	"context"
	"io"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/templates"
)

// DefaultTimeout is how long Up waits for a cluster that exists to be ready.
const DefaultTimeout = 5 * time.Minute

// Config describes an environment. The zero value works: one node of kind's
// default image, named after the project in the working directory.
type Config struct {
	// Name is the cluster's name: lower-case letters, digits, '-' and '.', at most 49 characters, 40 with
	// several control planes. Default: KIND_CLUSTER_NAME; else the name in ConfigFile; else the last
	// element of the module's path, or the name of the git repository's or of
	// the working folder, made valid.
	Name string
	// Dir is the project's folder, which Name may come from and which relative
	// paths here start from. Default: the working directory.
	Dir string
	// Runtime is "docker", "podman" or "nerdctl". Default:
	// KIND_EXPERIMENTAL_PROVIDER; else the first of them that is reachable.
	Runtime string
	// Host is the engine's endpoint, such as unix:///run/user/1000/docker.sock.
	// Default: DOCKER_HOST; else the current docker context; else the first
	// well-known socket of Docker or Podman that answers.
	Host string

	// NodeImage is the image of every node. Default: Cluster's, or the images
	// in ConfigFile; else the one that this version of kind is made for.
	NodeImage string
	// Cluster says what the cluster is made of. Default: a single node.
	Cluster templates.Cluster
	// ConfigFile is a kind configuration of one's own, used as it is instead
	// of Cluster.
	ConfigFile string
	// Images are local images that are loaded into the nodes, when they are
	// not there yet.
	Images []string
	// Manifests are files, folders of them, or URLs that `kubectl apply` is
	// given, in this order, when the environment comes up and the cluster does
	// not have all of it yet, as it is.
	Manifests []string

	// CloudProvider says how the cloud provider runs. The zero value stands
	// for [cloudprovider.DefaultConfig]. ClusterName is set to the cluster's
	// name, Network to the one that kind uses (KIND_EXPERIMENTAL_DOCKER_NETWORK,
	// else "kind"): another one is refused. CacheDir and ResolveImage are
	// filled when they are empty.
	CloudProvider cloudprovider.Config
	// NoCloudProvider leaves the cloud provider out: load balancers stay pending.
	NoCloudProvider bool

	// Kubeconfig is a file of the environment's own, written for its owner
	// alone and removed by Down. Default: one in the user's cache folder.
	Kubeconfig string
	// NoMerge keeps the cluster out of the user's kubeconfig ($KUBECONFIG, or
	// ~/.kube/config), where it otherwise becomes the current context, as with kind.
	NoMerge bool

	// ResolveImage is asked for an image that is neither on the engine nor can
	// be pulled, and may return the reference of one that is on the engine:
	// built, or loaded from an archive. May be nil.
	ResolveImage func(ctx context.Context, ref string) (string, error)
	// Timeout is how long Up waits for a cluster that exists to be ready. It
	// does not limit the creation, pulls and loads.
	// Default: [DefaultTimeout].
	Timeout time.Duration
	// DumpDir is where a failed Up, and a failed Run, keep what helps to understand it:
	// the logs, and what the cluster looks like, in the folder DumpDir/<name>.
	// The next dump replaces it; Down does not remove it. There are no credentials in it.
	// Default: the folder dumps in this module's folder in the user's cache folder.
	// Up keeps it there only when the variable CI is set.
	DumpDir string
	// Out gets the progress and the summary. Default: nowhere.
	Out io.Writer
}
