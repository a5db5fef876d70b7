package templates_test

import (
	"errors"
	"strings"
	"testing"

	"sigs.k8s.io/kind/pkg/apis/config/v1alpha4"

	"github.com/magekind/magekind/templates"
)

// FuzzKind: what passes Validate gives a configuration in which kind, reading it
// strictly, finds exactly the values that were set, and nothing beside them.
func FuzzKind(f *testing.F) {
	for _, s := range []string{
		"kindest/node:v1.37.0", "/srv/data", "a: b", "\"\nnodes: []\n\"", "kind: KubeletConfiguration\nmaxPods: 1\n", "- x", "{{.}}", "ipv6", "::1",
		"10.42.0.0/16", "fd00:42::/56", "UDP", "AllAlpha", "\x00", "\xff", "kind: InitConfiguration\n---\nkind: JoinConfiguration", " ", "\ufeff", "\u2028",
		"kind: KubeletConfiguration\nx: |\n  a\n\n\n", "kind: KubeletConfiguration # \t", "0x10", "1.0.0.0/8,fd00::/8",
	} {
		f.Add("", s, s, "", s, s, s, s, "Gate", s, s, 80, 0, 1, uint8(0))
		f.Add(s, "/a", "/b", s, "127.0.0.1", "tcp", "10.0.0.0/16", "10.1.0.0/16", s, "kind: KubeletConfiguration", s, 1, 65535, 6443, uint8(0xff))
	}
	f.Fuzz(func(t *testing.T, image, hostPath, containerPath, family, address, protocol, pods, services, gate, kubeadm, containerd string,
		port, hostPort, apiPort int, bits uint8,
	) {
		on := func(n int) bool { return bits&(1<<n) != 0 }
		c := templates.Cluster{
			NodeImage: image, IPFamily: family, PodSubnet: pods, ServiceSubnet: services, APIServerPort: apiPort,
			ControlPlanes: int(bits >> 6), Workers: int(bits & 1), FailCgroupV1Off: on(1),
			Mounts: []templates.Mount{{HostPath: hostPath, ContainerPath: containerPath, ReadOnly: on(2)}},
			Ports:  []templates.PortMapping{{ContainerPort: port, HostPort: hostPort, ListenAddress: address, Protocol: protocol}},
		}
		if on(3) {
			c.FeatureGates = map[string]bool{gate: on(4)}
		}
		if on(5) {
			c.KubeadmPatches, c.APIServerAddress = []string{kubeadm, kubeadm}, address
		}
		if containerd != "" {
			c.ContainerdPatches = []string{containerd}
		}
		raw, err := templates.Kind(c)
		if err != nil {
			return
		}
		seen := decode(t, raw)
		compare(t, seen, c)
		protocol = strings.ToUpper(protocol)
		if protocol == "" {
			protocol = "TCP"
		}
		if address == "" {
			address = "127.0.0.1"
		}
		same(t, "port", seen.Nodes[0].ExtraPortMappings[0], v1alpha4.PortMapping{
			ContainerPort: int32(port), HostPort: int32(hostPort), ListenAddress: address, Protocol: v1alpha4.PortMappingProtocol(protocol),
		})
		if s, err := templates.Inspect(raw); err != nil || s.ControlPlanes != max(1, c.ControlPlanes) || s.Workers != c.Workers {
			t.Errorf("Inspect gives %+v, %v for\n%s", s, err, raw)
		}
	})
}

// FuzzInspect: any file is read or refused, and a summary counts at least the one node that kind makes.
func FuzzInspect(f *testing.F) {
	const head = "kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n"
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'i'; c++ {
		before := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+before+",", 8) + "*" + before + "]\n"
	}
	for _, s := range []string{
		"", head, head + bomb, head + "nodes: &n\n- role: worker\n  x: *n\n", head + "nodes: [" + strings.Repeat("{},", 100) + "]",
		head + strings.Repeat("[", 2000), head + "a: " + strings.Repeat("{a: ", 500), "{}", "[]", "null", "\x00", "---\n---", "kind: [Cluster]",
		head + "<<: {kind: x}", head + "? {a: b}\n: c", head + "kubeadmConfigPatches: ['kind: KubeletConfiguration\nfailCgroupV1: false']",
		head + "kubeadmConfigPatchesJSON6902: [{kind: KubeletConfiguration, patch: '[{path: /failCgroupV1, value: false}]'}]",
		head + "nodes: [{role: worker, image: a}, {role: control-plane, image: !!binary aGk=}]", head + "name: 1e999",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := templates.Inspect(raw)
		switch {
		case err != nil && !errors.Is(err, templates.ErrNotKind):
			t.Errorf("got %v, want an error that is %q", err, templates.ErrNotKind)
		case err == nil && s.ControlPlanes+s.Workers < 1:
			t.Errorf("got %+v, want a node", s)
		}
	})
}
