package node

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/magekind/magekind/magefiles/images/internal/gobuild"
	"github.com/magekind/magekind/magefiles/images/internal/parallel"
	"github.com/magekind/magekind/magefiles/images/internal/progress"
)

// Modules whose programs or sources go into the image.
const (
	kubernetesModule = "k8s.io/kubernetes"
	kindModule       = "sigs.k8s.io/kind"
	containerdModule = "github.com/containerd/containerd/v2"
	cniModule        = "github.com/containernetworking/plugins"
	crictlModule     = "sigs.k8s.io/cri-tools"
	runcModule       = "github.com/opencontainers/runc"
)

// static returns the main packages that need no C. One command builds them all,
// so that what they share is compiled once.
func static() []string {
	return []string{
		"./cmd/...",
		containerdModule + "/cmd/containerd",
		containerdModule + "/cmd/containerd-shim-runc-v2",
		containerdModule + "/cmd/ctr",
		cniModule + "/plugins/ipam/host-local",
		cniModule + "/plugins/main/loopback",
		cniModule + "/plugins/main/ptp",
		cniModule + "/plugins/meta/portmap",
		crictlModule + "/cmd/crictl",
	}
}

// seldom returns patterns of packages that are compiled without inlining, which
// takes the compiler a third less time: generated code, and what a node runs once.
func seldom() []string {
	return []string{
		"k8s.io/api/...", "k8s.io/client-go/applyconfigurations/...", "k8s.io/client-go/informers/...",
		"k8s.io/client-go/kubernetes/...", "k8s.io/client-go/listers/...", "k8s.io/kubernetes/...",
		"k8s.io/kubectl/...", "k8s.io/cli-runtime/...", "k8s.io/kube-aggregator/...",
		"k8s.io/apiextensions-apiserver/...", "sigs.k8s.io/kustomize/...", "sigs.k8s.io/cri-tools/...",
	}
}

// programs returns the folder with the compiled programs.
func (r recipe) programs(ctx context.Context) (string, error) {
	k, err := r.ProgramKey(source, rootfs, proxyFiles)
	if err != nil {
		return "", err
	}
	if err := k.File(r.Path("internal/node/programs.go")); err != nil {
		return "", err
	}
	return r.Results.Make("programs", k.String(), func(dir string) error {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
		return parallel.Run(ctx,
			func(ctx context.Context) error { return r.compile(ctx, dir) },
			func(ctx context.Context) error { return r.compileC(ctx, dir) },
		)
	})
}

// compile builds the static programs. The standard library compiles while the
// modules are downloaded.
func (r recipe) compile(ctx context.Context, dir string) error {
	var total int
	err := parallel.Run(ctx,
		func(ctx context.Context) error {
			return r.Step("download the node's Go modules", func(*progress.Step) (err error) {
				total, err = r.Module(source).Download(ctx, static()...)
				return err
			})
		},
		r.StandardLibrary,
	)
	if err != nil {
		return err
	}
	return r.Build(ctx, "Kubernetes and containerd", source, gobuild.Program{
		Packages: static(), Out: dir + "/", Seldom: seldom(), LDFlags: r.ldFlags(), Total: total,
	})
}

// ldFlags has the programs tell their versions; kubeadm and the kubelet refuse
// to work together without.
func (r recipe) ldFlags() string {
	kubernetes := r.versions[kubernetesModule]
	major, rest, _ := strings.Cut(strings.TrimPrefix(kubernetes, "v"), ".")
	minor, _, _ := strings.Cut(rest, ".")
	var flags strings.Builder
	for _, variable := range []struct{ name, value string }{
		{"k8s.io/component-base/version.gitVersion", kubernetes},
		{"k8s.io/component-base/version.gitMajor", major},
		{"k8s.io/component-base/version.gitMinor", minor},
		{"k8s.io/client-go/pkg/version.gitVersion", kubernetes},
		{containerdModule + "/version.Version", r.versions[containerdModule]},
		{cniModule + "/pkg/utils/buildversion.BuildVersion", r.versions[cniModule]},
		{crictlModule + "/pkg/version.Version", r.versions[crictlModule]},
	} {
		fmt.Fprintf(&flags, " -X %s=%s", variable.name, variable.value)
	}
	return flags.String()
}

// compileC builds the programs that are written in C, in part or whole. They are
// static too: this machine's C library need not be the image's.
func (r recipe) compileC(ctx context.Context, dir string) error {
	if err := r.Install(ctx, tools()...); err != nil {
		return err
	}
	if err := r.pause(ctx, filepath.Join(dir, "pause")); err != nil {
		return err
	}
	return r.Build(ctx, "runc", source, gobuild.Program{
		Packages: []string{runcModule}, Out: filepath.Join(dir, "runc"), CGO: true,
		LDFlags: "-extldflags=-static -X main.version=" + strings.TrimPrefix(r.versions[runcModule], "v"),
	})
}
