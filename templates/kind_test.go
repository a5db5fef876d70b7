package templates_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kind/pkg/apis/config/v1alpha4"

	"github.com/magekind/magekind/templates"
)

var update = flag.Bool("update", false, "write the golden files anew")

// clusters are the cases of the golden files, by the file's name.
var clusters = map[string]templates.Cluster{
	"single-node":    {},
	"workers":        {NodeImage: "kindest/node:v1.37.0", Workers: 2},
	"control-planes": {ControlPlanes: 3, Workers: 1},
	"ports": {ControlPlanes: 2, Ports: []templates.PortMapping{
		{ContainerPort: 30080, HostPort: 8080},
		{ContainerPort: 30053, HostPort: -1, ListenAddress: "::1", Protocol: "udp"},
	}},
	"mounts": {Workers: 1, Mounts: []templates.Mount{
		{HostPath: "/srv/data", ContainerPath: "/data"},
		{HostPath: `/home/o'neil/a "b": {{.}}`, ContainerPath: "/etc/ssl/extra", ReadOnly: true},
	}},
	"feature-gates": {FeatureGates: map[string]bool{"MutatingAdmissionPolicy": true, "AllAlpha": false}},
	"subnets":       {PodSubnet: "10.42.0.0/16", ServiceSubnet: "10.43.0.0/16", APIServerAddress: "127.0.0.2", APIServerPort: 6443},
	"dual-stack":    {IPFamily: "dual", PodSubnet: "10.42.0.0/16,fd00:42::/56", ServiceSubnet: "10.43.0.0/16,fd00:43::/112"},
	"cgroup-v1":     {FailCgroupV1Off: true},
	"patches": {
		FailCgroupV1Off: true,
		KubeadmPatches: []string{
			"kind: ClusterConfiguration\napiServer:\n  extraArgs:\n  - name: v\n    value: \"4\"\n",
			"kind: KubeletConfiguration\nmaxPods: 42",
			"  kind: KubeProxyConfiguration\n  mode: nftables\n",
		},
		ContainerdPatches: []string{"[debug]\n  level = \"debug\"\n"},
	},
}

func TestKindGolden(t *testing.T) {
	t.Parallel()
	for name, cluster := range clusters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := templates.Kind(cluster)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+".yaml")
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got:\n%s\nwant, in %s (go test -update writes it anew):\n%s", got, file, want)
			}
		})
	}
}

// TestKindReadsGolden decodes every golden file into kind's own type, as
// strictly as kind does, and compares what kind sees with what was asked for.
func TestKindReadsGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(files), len(clusters); got != want {
		t.Errorf("%d golden files for %d clusters: one has no case any more", got, want)
	}
	for name, cluster := range clusters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(filepath.Join("testdata", name+".yaml"))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, decode(t, raw), cluster)
		})
	}
}

func decode(t *testing.T, raw []byte) v1alpha4.Cluster {
	t.Helper()
	var seen v1alpha4.Cluster
	d := yaml.NewDecoder(bytes.NewReader(raw))
	d.KnownFields(true)
	if err := d.Decode(&seen); err != nil {
		t.Fatalf("kind would refuse it: %v\n%s", err, raw)
	}
	return seen
}

func compare(t *testing.T, seen v1alpha4.Cluster, want templates.Cluster) {
	t.Helper()
	roles := map[v1alpha4.NodeRole]int{}
	for _, n := range seen.Nodes {
		roles[n.Role]++
		if n.Image != want.NodeImage {
			t.Errorf("a node has image %q, want %q", n.Image, want.NodeImage)
		}
		var mounts []templates.Mount
		for _, m := range n.ExtraMounts {
			mounts = append(mounts, templates.Mount{HostPath: m.HostPath, ContainerPath: m.ContainerPath, ReadOnly: m.Readonly})
		}
		same(t, "mounts", mounts, want.Mounts)
	}
	same(t, "control planes", roles[v1alpha4.ControlPlaneRole], max(1, want.ControlPlanes))
	same(t, "workers", roles[v1alpha4.WorkerRole], want.Workers)
	same(t, "ports of the first node", len(seen.Nodes[0].ExtraPortMappings), len(want.Ports))
	for _, n := range seen.Nodes[1:] {
		same(t, "ports of another node", len(n.ExtraPortMappings), 0)
	}
	patches := want.KubeadmPatches
	if want.FailCgroupV1Off {
		patches = append([]string{"kind: KubeletConfiguration\napiVersion: kubelet.config.k8s.io/v1beta1\nfailCgroupV1: false\n"}, patches...)
	}
	same(t, "kubeadm patches", seen.KubeadmConfigPatches, patches)
	same(t, "containerd patches", seen.ContainerdConfigPatches, want.ContainerdPatches)
	same(t, "feature gates", seen.FeatureGates, want.FeatureGates)
	same(t, "pod subnet", seen.Networking.PodSubnet, want.PodSubnet)
	same(t, "service subnet", seen.Networking.ServiceSubnet, want.ServiceSubnet)
	same(t, "address family", string(seen.Networking.IPFamily), want.IPFamily)
	same(t, "API server's address", seen.Networking.APIServerAddress, want.APIServerAddress)
	same(t, "API server's port", int(seen.Networking.APIServerPort), want.APIServerPort)
}

// same compares what the two print as in Go's syntax, where nil and empty differ only by type.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprintf("%q", got), fmt.Sprintf("%q", want); g != w {
		t.Errorf("%s: got %s, want %s", what, g, w)
	}
}

// FuzzKindQuotes puts any text where a string goes, and looks whether kind gets
// it back and nothing beside it.
func FuzzKindQuotes(f *testing.F) {
	for _, s := range []string{
		"plain", "two\nlines\n", " led by a space", "ends with two\n\n", "tab\there", "a: b", "# no comment", "- x", "é \u0085 \u2028 \ufeff \x7f",
		"x\n---\nnodes: []", "\"\nfeatureGates: {}\n\"", "%YAML", "a\r\nb", "a\n \n", "\\x41", "{{ .Workers }}", "a\n\tb", "x ", "\U0001f600",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		cluster := templates.Cluster{
			Mounts:            []templates.Mount{{HostPath: "/" + s, ContainerPath: "/" + s}},
			ContainerdPatches: []string{s},
		}
		raw, err := templates.Kind(cluster)
		if err != nil {
			t.Skip("refused: ", err)
		}
		compare(t, decode(t, raw), cluster)
	})
}

func TestKindRefusesWhatIsInvalid(t *testing.T) {
	t.Parallel()
	if out, err := templates.Kind(templates.Cluster{Workers: -1}); err == nil {
		t.Errorf("got no error, but:\n%s", out)
	}
}

func ExampleKind() {
	config, err := templates.Kind(templates.Cluster{Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", config)
	// Output:
	// # Written by magekind. Give a file of your own as the cluster's configuration to change what its settings can't.
	// kind: Cluster
	// apiVersion: kind.x-k8s.io/v1alpha4
	// nodes:
	// - role: control-plane
	// - role: worker
}
