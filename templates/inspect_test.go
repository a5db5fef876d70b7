package templates_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/magekind/magekind/templates"
)

const head = "kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n"

func TestInspect(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		raw  string
		want templates.Summary
	}{
		"nothing but the head": {head, templates.Summary{ControlPlanes: 1, DefaultImage: true}},
		"name":                 {head + "name: mine\n", templates.Summary{Name: "mine", ControlPlanes: 1, DefaultImage: true}},
		"nodes": {
			head + "nodes:\n- role: worker\n  image: a\n- image: b\n- role: control-plane\n- {role: worker, image: a}\n",
			templates.Summary{ControlPlanes: 2, Workers: 2, NodeImages: []string{"a", "b"}, DefaultImage: true},
		},
		"cgroup v1": {
			head + "kubeadmConfigPatches:\n- |\n  kind: InitConfiguration\n  ---\n  kind: KubeletConfiguration\n  failCgroupV1: false\n",
			templates.Summary{ControlPlanes: 1, DefaultImage: true, FailCgroupV1Off: true},
		},
		"cgroup v1 taken back": {
			head + "kubeadmConfigPatches:\n- '{kind: KubeletConfiguration, failCgroupV1: false}'\n- '{kind: KubeletConfiguration, failCgroupV1: true}'\n",
			templates.Summary{ControlPlanes: 1, DefaultImage: true},
		},
		"cgroup v1 of another document": {
			head + "kubeadmConfigPatches:\n- '{kind: InitConfiguration, failCgroupV1: false}'\n",
			templates.Summary{ControlPlanes: 1, DefaultImage: true},
		},
		"own pod network": {
			head + "networking:\n  disableDefaultCNI: true\n  kubeProxyMode: none\n",
			templates.Summary{ControlPlanes: 1, DefaultImage: true, DisableDefaultCNI: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := templates.Inspect([]byte(tc.raw))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tc.want) {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestInspectRefusesOtherFiles(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"empty":          "",
		"text":           "hello\n",
		"not YAML":       "a: b: c",
		"a manifest":     "kind: Service\napiVersion: v1\n",
		"an old version": "kind: Cluster\napiVersion: kind.sigs.k8s.io/v1alpha3\n",
		"nodes a number": head + "nodes: 3\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := templates.Inspect([]byte(raw)); !errors.Is(err, templates.ErrNotKind) {
				t.Errorf("got %+v and error %v, want ErrNotKind", got, err)
			}
		})
	}
}

// TestInspectReadsKind holds the two directions together.
func TestInspectReadsKind(t *testing.T) {
	t.Parallel()
	for name, cluster := range clusters {
		raw, err := templates.Kind(cluster)
		if err != nil {
			t.Fatal(err)
		}
		got, err := templates.Inspect(raw)
		if err != nil {
			t.Fatal(err)
		}
		want := templates.Summary{
			ControlPlanes: max(1, cluster.ControlPlanes), Workers: cluster.Workers,
			DefaultImage: cluster.NodeImage == "", FailCgroupV1Off: cluster.FailCgroupV1Off,
		}
		if cluster.NodeImage != "" {
			want.NodeImages = []string{cluster.NodeImage}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

func ExampleInspect() {
	found, err := templates.Inspect([]byte(`
kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
name: billing
nodes:
- role: control-plane
- role: worker
`))
	fmt.Println(found.Name, found.ControlPlanes, found.Workers, err)
	// Output: billing 1 1 <nil>
}
