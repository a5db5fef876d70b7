package templates_test

import (
	"strings"
	"testing"

	"github.com/magekind/magekind/templates"
)

func TestValidateSaysWhatToDo(t *testing.T) {
	t.Parallel()
	port := func(p templates.PortMapping) templates.Cluster {
		return templates.Cluster{Ports: []templates.PortMapping{p}}
	}
	mount := func(m templates.Mount) templates.Cluster { return templates.Cluster{Mounts: []templates.Mount{m}} }
	for name, tc := range map[string]struct {
		cluster templates.Cluster
		want    []string
	}{
		"control planes":      {templates.Cluster{ControlPlanes: -2}, []string{"ControlPlanes is -2", "1 or more"}},
		"workers":             {templates.Cluster{Workers: -1}, []string{"Workers is -1", "0 or more"}},
		"node image":          {templates.Cluster{NodeImage: "kindest/Node:v1"}, []string{`NodeImage is "kindest/Node:v1"`, "kindest/node:v1.37.0"}},
		"container port":      {port(templates.PortMapping{ContainerPort: 70000}), []string{"Ports[0].ContainerPort is 70000", "1 to 65535"}},
		"no container port":   {port(templates.PortMapping{HostPort: 1}), []string{"Ports[0].ContainerPort is 0"}},
		"host port":           {port(templates.PortMapping{ContainerPort: 1, HostPort: -2}), []string{"Ports[0].HostPort is -2", "0 for a free port"}},
		"listen address":      {port(templates.PortMapping{ContainerPort: 1, ListenAddress: "localhost"}), []string{`Ports[0].ListenAddress is "localhost"`, "127.0.0.1"}},
		"protocol":            {port(templates.PortMapping{ContainerPort: 1, Protocol: "http"}), []string{`Ports[0].Protocol is "HTTP"`, "TCP (the default), UDP or SCTP"}},
		"port taken twice":    {samePort("127.0.0.1", "127.0.0.1"), []string{"Ports[1] and Ports[0]", "TCP port 80"}},
		"port taken by all":   {samePort("0.0.0.0", "127.0.0.1"), []string{"Ports[1] and Ports[0]"}},
		"port of all taken":   {samePort("127.0.0.1", "0.0.0.0"), []string{"Ports[1] and Ports[0]"}},
		"host path":           {mount(templates.Mount{HostPath: "data", ContainerPath: "/d"}), []string{`Mounts[0].HostPath is "data"`, "absolute"}},
		"no host path":        {mount(templates.Mount{ContainerPath: "/d"}), []string{"Mounts[0].HostPath is empty"}},
		"container path":      {mount(templates.Mount{HostPath: "/d", ContainerPath: "d"}), []string{`Mounts[0].ContainerPath is "d"`}},
		"path that is binary": {mount(templates.Mount{HostPath: "/\xff", ContainerPath: "/d"}), []string{"UTF-8"}},
		"mounted twice": {
			templates.Cluster{Mounts: []templates.Mount{{HostPath: "/a", ContainerPath: "/d"}, {HostPath: "/b", ContainerPath: "/d/"}}},
			[]string{"Mounts[1].ContainerPath", "Mounts[0]"},
		},
		"feature gate":     {templates.Cluster{FeatureGates: map[string]bool{"a: true": true}}, []string{`FeatureGates has "a: true"`, "letters and digits"}},
		"family":           {templates.Cluster{IPFamily: "IPv4"}, []string{`IPFamily is "IPv4"`, `"dual"`}},
		"pod subnet":       {templates.Cluster{PodSubnet: "10.0.0.0"}, []string{`PodSubnet is "10.0.0.0"`, "10.42.0.0/16"}},
		"service subnet":   {templates.Cluster{ServiceSubnet: "fd00::/112"}, []string{`ServiceSubnet is "fd00::/112"`, "one IPv4 range"}},
		"family of a pod":  {templates.Cluster{IPFamily: "ipv6", PodSubnet: "10.42.0.0/16"}, []string{"one IPv6 range"}},
		"two of a family":  {templates.Cluster{IPFamily: "dual", PodSubnet: "10.42.0.0/16,10.43.0.0/16"}, []string{"one of each family"}},
		"overlap":          {templates.Cluster{PodSubnet: "10.42.0.0/16", ServiceSubnet: "10.42.7.0/24"}, []string{"10.42.0.0/16", "10.42.7.0/24", "overlap"}},
		"API address":      {templates.Cluster{APIServerAddress: "here"}, []string{`APIServerAddress is "here"`}},
		"API port":         {templates.Cluster{APIServerPort: 65536}, []string{"APIServerPort is 65536"}},
		"patch of nothing": {templates.Cluster{KubeadmPatches: []string{" \n"}}, []string{"KubeadmPatches[0] is empty"}},
		"patch of no kind": {templates.Cluster{KubeadmPatches: []string{"maxPods: 1"}}, []string{`KubeadmPatches[0] has kind ""`, "KubeletConfiguration"}},
		"second document": {
			templates.Cluster{KubeadmPatches: []string{"kind: InitConfiguration\n---\nkind: Kubelet"}},
			[]string{`KubeadmPatches[0] has kind "Kubelet"`},
		},
		"patch not YAML":   {templates.Cluster{KubeadmPatches: []string{"a: b: c"}}, []string{"KubeadmPatches[0] is not YAML"}},
		"containerd patch": {templates.Cluster{ContainerdPatches: []string{""}}, []string{"ContainerdPatches[0] is empty"}},
		"all at once":      {templates.Cluster{ControlPlanes: -1, IPFamily: "x"}, []string{"ControlPlanes", "IPFamily"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := tc.cluster.Validate()
			if err == nil {
				t.Fatal("got no error")
			}
			for _, want := range tc.want {
				if got := err.Error(); !strings.Contains(got, want) {
					t.Errorf("got %q, want it to say %q", got, want)
				}
			}
		})
	}
}

func samePort(first, second string) templates.Cluster {
	return templates.Cluster{Ports: []templates.PortMapping{
		{ContainerPort: 1, HostPort: 80, ListenAddress: first},
		{ContainerPort: 2, HostPort: 80, ListenAddress: second},
	}}
}

func TestValidateAccepts(t *testing.T) {
	t.Parallel()
	for name, cluster := range map[string]templates.Cluster{
		"same port, other address":  samePort("127.0.0.1", "127.0.0.2"),
		"same port, other protocol": {Ports: []templates.PortMapping{{ContainerPort: 1, HostPort: 53}, {ContainerPort: 1, HostPort: 53, Protocol: "UDP"}}},
		"free ports":                {Ports: []templates.PortMapping{{ContainerPort: 1}, {ContainerPort: 2}, {ContainerPort: 3, HostPort: -1}, {ContainerPort: 4, HostPort: -1}}},
		"image by digest":           {NodeImage: "localhost:5000/a/node@sha256:" + strings.Repeat("0", 64)},
		"one family of two":         {IPFamily: "dual", PodSubnet: "10.42.0.0/16"},
		"documents in one patch":    {KubeadmPatches: []string{"---\nkind: InitConfiguration\n--- # second\nkind: JoinConfiguration\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := cluster.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}
