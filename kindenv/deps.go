package kindenv

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kubeapi"
	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// driver is what an environment asks of kind.
type driver interface {
	clusters
	insides
	// Available says whether the command that kind works through is installed.
	Available() error
}

// clusters makes and removes clusters.
type clusters interface {
	Create(ctx context.Context, spec kind.CreateSpec) (kubeconfig []byte, err error)
	Delete(ctx context.Context, name string) error
	Nodes(ctx context.Context, name string) ([]string, error)
	Kubeconfig(ctx context.Context, name string) ([]byte, error)
}

// insides works inside a cluster's nodes.
type insides interface {
	SaveImages(ctx context.Context, refs []string, out io.Writer) error
	LoadArchive(ctx context.Context, name string, archive io.Reader) error
	Kubectl(ctx context.Context, name string, stdin io.Reader, args ...string) ([]byte, error)
}

// provider is what an environment asks of the cloud provider.
type provider interface {
	PrepareImages(ctx context.Context) error
	Start(ctx context.Context) error
	Renew(ctx context.Context) error
	Stop(ctx context.Context) error
	Attached(ctx context.Context) error
	Status(ctx context.Context) (cloudprovider.Status, error)
	LoadBalancers(ctx context.Context) ([]cloudprovider.LoadBalancer, error)
}

var (
	_ driver   = (*kind.Driver)(nil)
	_ provider = (*cloudprovider.Controller)(nil)
)

// deps is what an environment takes from the world around it.
type deps struct {
	env         func(key string) string
	setenv      func(key, value string) error
	installed   func(command string) bool
	cacheDir    func() string
	engine      func(ctx context.Context, opts docker.Options) (engine.Engine, error)
	driver      func(runtime string, console *progress.Console) (driver, error)
	provider    func(eng engine.Engine, cfg cloudprovider.Config) provider
	contextHost func(ctx context.Context) (string, error)
	answers     func(ctx context.Context, at kubeconfig.Access) bool
	dial        kubeapi.Dial // to API servers; nil: as usual
	// inotifyInstances is how many a user may have on this machine; 0: not known
	inotifyInstances func() int

	balancerBudget time.Duration
}

func realDeps() deps {
	return deps{
		env:    os.Getenv,
		setenv: os.Setenv,
		installed: func(command string) bool {
			_, err := exec.LookPath(command)
			return err == nil
		},
		cacheDir: userCache,
		engine: func(ctx context.Context, opts docker.Options) (engine.Engine, error) {
			return docker.Open(ctx, opts)
		},
		driver: func(runtime string, console *progress.Console) (driver, error) {
			return kind.New(runtime, console.Logger())
		},
		provider: func(eng engine.Engine, cfg cloudprovider.Config) provider {
			return cloudprovider.New(eng, cfg)
		},
		contextHost:      contextHost,
		answers:          answers,
		inotifyInstances: inotifyInstances,

		balancerBudget: balancerBudget,
	}
}

// contextHost asks the docker command which endpoint it would use.
func contextHost(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, kind.Docker, "context", "inspect", "--format", "{{.Endpoints.docker.Host}}").Output()
	if err != nil {
		return "", fmt.Errorf("ask docker for its current context: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
