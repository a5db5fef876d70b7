package node

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// tags are the versions of the container images that kubeadm and kind ask for.
type tags struct {
	etcd    string // tag
	coredns string // tag
	pause   string // complete name
}

// readTags finds the tags in the sources of kubeadm and kind.
func (r recipe) readTags(ctx context.Context) (tags, error) {
	var t tags
	kubernetes, err := r.Module(source).Source(ctx, kubernetesModule)
	if err != nil {
		return t, err
	}
	kind, err := r.kindFiles(ctx)
	if err != nil {
		return t, err
	}
	constants := filepath.Join(kubernetes, "cmd/kubeadm/app/constants/constants.go")
	for _, wanted := range []struct {
		file, pattern string
		value         *string
	}{
		{constants, `DefaultEtcdVersion += "([^"]+)"`, &t.etcd},
		{constants, `CoreDNSVersion += "([^"]+)"`, &t.coredns},
		{filepath.Join(kind, containerdConfig), `sandbox_image = "([^"]+)"`, &t.pause},
	} {
		text, err := os.ReadFile(wanted.file)
		if err != nil {
			return t, err
		}
		match := regexp.MustCompile(wanted.pattern).FindSubmatch(text)
		if match == nil {
			return t, fmt.Errorf("find %s in %q: no such line", wanted.pattern, wanted.file)
		}
		*wanted.value = string(match[1])
	}
	return t, r.agree(t)
}

// agree refuses images that would hold other versions than their tags say.
func (r recipe) agree(t tags) error {
	etcd, _, _ := strings.Cut(t.etcd, "-")
	for module, wanted := range map[string]string{
		"go.etcd.io/etcd/server/v3":  "v" + etcd,
		"github.com/coredns/coredns": t.coredns,
	} {
		if got := r.versions[module]; got != wanted {
			return fmt.Errorf("kubeadm %s asks for %s %s, and the go.mod of %q requires %s: change it there",
				r.versions[kubernetesModule], module, wanted, source, got)
		}
	}
	return nil
}

// pause compiles the program that holds a pod's namespaces, from Kubernetes' source.
func (r recipe) pause(ctx context.Context, out string) error {
	kubernetes, err := r.Module(source).Source(ctx, kubernetesModule)
	if err != nil {
		return err
	}
	t, err := r.readTags(ctx)
	if err != nil {
		return err
	}
	_, version, _ := strings.Cut(t.pause, ":")
	gcc := exec.CommandContext(ctx, "gcc", "-Os", "-static", "-s", "-DVERSION=v"+version, "-o", out,
		filepath.Join(kubernetes, "build/pause/linux/pause.c"))
	if text, err := gcc.CombinedOutput(); err != nil {
		return fmt.Errorf("compile pause: %w\n%s", err, text)
	}
	return nil
}

// kindFiles returns the folder with the files of kind's own image.
func (r recipe) kindFiles(ctx context.Context) (string, error) {
	kind, err := r.Module(source).Source(ctx, kindModule)
	return filepath.Join(kind, "images/base/files"), err
}
