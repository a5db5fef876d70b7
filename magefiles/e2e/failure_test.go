//go:build e2e

package e2e

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kind/pkg/apis/config/defaults"

	"github.com/magekind/magekind/magefiles/consumer"
)

// TestFailureInCI has environments that fail, with nobody looking on. The output
// ends with what helps to understand it, there is a dump, and it survives the removal.
func TestFailureInCI(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		fixture func(*consumer.Fixture)
		block   []string          // what is in the block
		dump    map[string]string // what is in the dump's files; NAME stands for the cluster's
	}{
		{
			"a cloud provider that exits at once", func(f *consumer.Fixture) { f.CloudProviderImage = cmp.Or(f.NodeImage, defaults.Image) },
			[]string{"cloud provider", "exited with code", "its last lines", "--- events (last lines)", "mage env:down"},
			map[string]string{
				// no pod or readiness among them: the failure comes before those can be counted on
				"status.txt": "NAME-control-plane: running", "kubernetes/pods.txt": "", "kubernetes/nodes-and-services.txt": "node/NAME-control-plane",
				"kubernetes/describe-kube-system.txt": "", "kubernetes/events.txt": "", "kubernetes/all.txt": "service/kubernetes",
				"nodes/NAME-control-plane/pods.log": "==> /var/log/pods/kube-system_",
			},
		},
		{
			"kubeadm refuses its configuration", func(f *consumer.Fixture) {
				f.KubeadmPatch = "kind: ClusterConfiguration\nnetworking:\n  podSubnet: nonsense\n"
			},
			[]string{"create cluster", "nonsense", "--- console of ", "\n  | "},
			map[string]string{"logs/NAME-control-plane.log": "systemd"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newProjectWith(t, tt.fixture)
			p.env = append(p.env, "CI=true", "NO_COLOR=")
			out, err := p.try("env:up")
			if code := exitCode(err); code != 1 {
				t.Errorf("env:up exits with %d; want 1", code)
			}
			p.assertBlock(out, tt.block...)
			key := p.clientKey()
			p.mage("env:down")
			p.assertGone()
			for name, want := range tt.dump {
				p.assertDumped(name, want)
			}
			p.assertDumped("error.txt", p.name)
			p.assertDumped("versions.txt", "docker")
			p.assertDumped("containers.json", p.name+"-control-plane")
			p.assertDumped("nodes/NAME-control-plane/kubelet.log", "")
			p.assertDumped("nodes/NAME-control-plane/journal.log", "containerd")
			p.assertNoSecrets(key)
			if t.Failed() {
				t.Logf("the output was\n%s", out)
			}
		})
	}
}

// assertBlock checks the end of a failed command's output.
func (p *project) assertBlock(out string, want ...string) {
	p.t.Helper()
	if strings.ContainsAny(out, "\x1b\r") {
		p.t.Errorf("the output has escape sequences in it: %q", out)
	}
	_, block, found := strings.Cut(out, "\nEnvironment \""+p.name+"\" failed\n")
	if !found {
		p.t.Fatalf("there is no block:\n%s", out)
	}
	for _, text := range append(want, "  step:  ", "  error: ", "  dump:  "+p.dump()) {
		if !strings.Contains(block, text) {
			p.t.Errorf("the block lacks %q:\n%s", text, block)
		}
	}
	if _, last, found := strings.Cut(block, "Error: "); !found || strings.Count(last, "\n") > 1 {
		p.t.Errorf("mage says more than a line: %q", last)
	}
}

func (p *project) dump() string { return filepath.Join(p.cache, "magekind", "dumps", p.name) }

// assertDumped checks that a file of the dump, NAME being the cluster's, has text in it.
func (p *project) assertDumped(name, text string) {
	p.t.Helper()
	name, text = strings.ReplaceAll(name, "NAME", p.name), strings.ReplaceAll(text, "NAME", p.name)
	content, err := os.ReadFile(filepath.Join(p.dump(), filepath.FromSlash(name)))
	if err != nil || !strings.Contains(string(content), text) {
		p.t.Errorf("%s lacks %q (%v):\n%.2000s", name, text, err, content)
	}
	if strings.Contains(string(content), "reading this ended") && !strings.Contains(string(content), "not done after") {
		p.t.Errorf("%s is not whole:\n%.2000s", name, content)
	}
}

// clientKey is the secret of the environment's own kubeconfig, if it has one.
func (p *project) clientKey() string {
	p.t.Helper()
	for _, path := range p.ownKubeconfigs() {
		content, err := os.ReadFile(path)
		if err != nil {
			p.t.Fatal(err)
		}
		if _, key, found := strings.Cut(string(content), "client-key-data: "); found {
			key, _, _ = strings.Cut(key, "\n")
			return key
		}
	}
	return ""
}

// assertNoSecrets looks for keys in the dump.
func (p *project) assertNoSecrets(key string) {
	p.t.Helper()
	err := filepath.WalkDir(p.dump(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, secret := range []string{key, "PRIVATE KEY-----\nM", "client-key-data: L"} {
			if secret != "" && strings.Contains(string(content), secret) {
				p.t.Errorf("%s has a key in it", path)
			}
		}
		return err
	})
	if err != nil {
		p.t.Error(err)
	}
}
