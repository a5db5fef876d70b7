package bench

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/magefiles/consumer"
)

// attached is what the cloud provider logs once it serves a cluster.
const attached = "Starting cloud controller"

//go:embed rival/magefile.go.tmpl
var rivalMagefile string

// byHand is the sequence of commands that one would write without this module.
type byHand struct {
	lab
	kind     string // the kind command
	config   string // for kind
	manifest string
}

var _ side = (*byHand)(nil)

func newByHand(ctx context.Context, l lab) (*byHand, error) {
	files, err := l.Files()
	if err != nil {
		return nil, err
	}
	b := &byHand{lab: l, kind: filepath.Join(l.dir, "kind"), manifest: files["deploy/hello.yaml"]}
	project := map[string]string{"magefile.go": rivalMagefile}
	if err := consumer.Write(l.dir, l.root, "example.test/rival", project); err != nil {
		return nil, err
	}
	if _, err := command(ctx, l.root, nil, "", "go", "build", "-modfile=magefiles/tools/go.mod", "-o", b.kind, "sigs.k8s.io/kind"); err != nil {
		return nil, err
	}
	b.config, err = kindConfig(ctx)
	return b, err
}

// kindConfig is what a kind config needs on this engine: Kubernetes refuses
// cgroup v1 unless told otherwise.
func kindConfig(ctx context.Context) (string, error) {
	config := "kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n"
	version, err := command(ctx, "", nil, "", "docker", "info", "--format", "{{.CgroupVersion}}")
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(version) == "1" {
		config += "kubeadmConfigPatches:\n- |\n  kind: KubeletConfiguration\n  failCgroupV1: false\n"
	}
	return config, nil
}

func (b *byHand) cold(ctx context.Context) (int64, error) {
	args := []string{"create", "cluster", "--name", b.Name, "--config", "-", "--wait", "5m"}
	if b.NodeImage != "" {
		args = append(args, "--image", b.NodeImage)
	}
	_, peak, err := measured(ctx, b.dir, b.env, b.config, b.kind, args...)
	if err != nil {
		return peak, err
	}
	_, loading, err := measured(ctx, b.dir, b.env, "", b.kind, "load", "docker-image", b.ExampleImage, "--name", b.Name)
	peak = max(peak, loading)
	if err != nil {
		return peak, err
	}
	if err := b.startProvider(ctx); err != nil {
		return peak, err
	}
	if _, err := b.kubectl(ctx, b.manifest, "apply", "-f", "-"); err != nil {
		return peak, err
	}
	return peak, b.answers(ctx)
}

// startProvider runs the cloud provider and waits for its attach line.
func (b *byHand) startProvider(ctx context.Context) error {
	_, err := b.docker(ctx, "run", "-d", "--name", b.Name+"-provider", "--network", "kind", "--user", "0",
		"-v", socket()+":/var/run/docker.sock", b.provider())
	if err != nil {
		return err
	}
	return retry.Until(ctx, patience, func(ctx context.Context) error {
		logs, err := b.docker(ctx, "logs", b.Name+"-provider")
		if err != nil {
			return err
		}
		if !strings.Contains(logs, attached) {
			return fmt.Errorf("the cloud provider does not say %q yet:\n%s", attached, logs)
		}
		return nil
	})
}

// noop is one script, as one would keep it in a repository.
func (b *byHand) noop(ctx context.Context) error {
	inNode := "docker exec " + b.controlPlane() + " kubectl --kubeconfig=/etc/kubernetes/admin.conf get "
	script := b.kind + " get clusters && " + inNode + "nodes && " + inNode + "--raw /readyz"
	_, err := command(ctx, b.dir, b.env, "", "sh", "-c", script)
	return err
}

func (b *byHand) down(ctx context.Context) error {
	script := b.kind + " delete cluster --name " + b.Name + " && docker rm -f " + b.Name + "-provider && " +
		"docker ps -aq --filter label=io.x-k8s.cloud-provider-kind.cluster=" + b.Name + " | xargs -r docker rm -f"
	_, err := command(ctx, b.dir, b.env, "", "sh", "-c", script)
	return err
}

func (b *byHand) compile(ctx context.Context) error { return b.build(ctx) }

func (b *byHand) docker(ctx context.Context, args ...string) (string, error) {
	return command(ctx, b.dir, b.env, "", "docker", args...)
}

// socket is the engine's socket, as one would mount it by hand.
func socket() string {
	if path, found := strings.CutPrefix(os.Getenv("DOCKER_HOST"), "unix://"); found {
		return path
	}
	return "/var/run/docker.sock"
}
