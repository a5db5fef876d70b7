//go:build integration

package kindenv_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/templates"
)

// TestSecurityOfARealEnvironment has one on a network as SECURITY.md says to make
// it, and looks at what can be reached, read and done.
func TestSecurityOfARealEnvironment(t *testing.T) {
	if os.Getenv(cloudProviderImageEnv) == "" {
		t.Skipf("%s names no image", cloudProviderImageEnv)
	}
	network := loopbackNetwork(t)
	t.Setenv("KIND_EXPERIMENTAL_DOCKER_NETWORK", network)
	service := filepath.Join(t.TempDir(), "service.yaml")
	if err := os.WriteFile(service, []byte("apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"+
		"spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80}]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := newReal(t, func(cfg *kindenv.Config) {
		cfg.Manifests = []string{service}
		cfg.CloudProvider.PortMapping = cloudprovider.PortMappingOn
	})
	r.up(t)
	balancers, err := r.engine.List(t.Context(), map[string]string{cloudprovider.LabelCluster: r.Name()})
	if err != nil || len(balancers) != 1 {
		t.Fatalf("load balancers are %+v, %v; want one", balancers, err)
	}
	ports := map[uint16]bool{}
	for _, port := range balancers[0].Ports {
		ports[port.ContainerPort] = true
		if port.ContainerPort == 80 { // the stand-in names an address for the administration's
			onLoopbackAlone(t, port.Host)
		}
	}
	if !ports[80] {
		t.Errorf("published are %v, want the Service's port", ports)
	}
	ownersAlone(t, filepath.Join(filepath.Dir(r.kubeconfig), "cache", "magekind"), 5)
	mustBe(t, r.kubeconfig, 0o600)
	const rights = "{{.HostConfig.Privileged}} {{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.CapAdd}} {{.HostConfig.SecurityOpt}} " +
		"{{range .Mounts}}{{.Type}}:{{.Destination}};{{end}}"
	got := dockerCLI(t, "inspect", "--format", rights, r.Name()+"-cloud-provider")
	for _, want := range []string{"false true [ALL] [] [no-new-privileges]", "bind:/var/run/docker.sock;", "volume:/usr/local/sbin;"} {
		if !strings.Contains(got, want) {
			t.Errorf("the cloud provider has %q, want %q", got, want)
		}
	}
	if strings.Count(got, ";") != 2 {
		t.Errorf("the cloud provider has mounts %q, want two", got)
	}
	onLoopbackAlone(t, netip.MustParseAddrPort(strings.Split(dockerCLI(t, "port", r.Name()+"-control-plane", "6443/tcp"), "\n")[0]))
}

// loopbackNetwork makes a network by SECURITY.md's command, under a name and with a subnet of its own.
func loopbackNetwork(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "```sh\n")
	command, _, _ := strings.Cut(after, "```")
	words := strings.Fields(strings.ReplaceAll(command, "\\\n", " "))
	if len(words) < 3 || words[0] != "docker" || words[len(words)-1] != "kind" {
		t.Fatalf("SECURITY.md's first shell block is %q, want the command that makes the network", command)
	}
	name := "kindenv-" + strings.ToLower(rand.Text()[:10])
	random := make([]byte, 5)
	_, _ = rand.Read(random) // it never fails
	for i, word := range words {
		if strings.HasPrefix(word, "fc00:") {
			words[i] = fmt.Sprintf("fd%x:%x:%x::/64", random[:1], random[1:3], random[3:5])
		}
	}
	words[len(words)-1] = name
	dockerCLI(t, words[1:]...)
	t.Cleanup(func() { dockerCLI(t, "network", "rm", name) })
	return name
}

// onLoopbackAlone fails unless at takes connections, and the same port of no other address of this machine does.
func onLoopbackAlone(t *testing.T, at netip.AddrPort) {
	t.Helper()
	if !at.Addr().IsLoopback() {
		t.Errorf("it listens on %s, want loopback", at)
	}
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	reached := false
	for _, address := range all {
		prefix, err := netip.ParsePrefix(address.String())
		if err != nil || prefix.Addr().Is6() {
			continue
		}
		other := netip.AddrPortFrom(prefix.Addr(), at.Port())
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", other.String())
		if err != nil {
			continue
		}
		_ = conn.Close()
		if reached = reached || other == at; other != at {
			t.Errorf("port %d can be reached at %s too", at.Port(), other)
		}
	}
	if !reached {
		t.Errorf("%s can't be reached", at)
	}
}

// TestRealFailureShowsNoPassword makes kind's own command fail, of which it
// quotes every word, with the proxies that it copies into the node.
func TestRealFailureShowsNoPassword(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	t.Setenv("HTTP_PROXY", withKey)
	t.Setenv("no_proxy", "127.0.0.1,localhost")
	var out output
	r := newReal(t, func(cfg *kindenv.Config) {
		cfg.NoCloudProvider, cfg.Out = true, &out
		cfg.Cluster = templates.Cluster{Ports: []templates.PortMapping{{ContainerPort: 80, HostPort: taken.Addr().(*net.TCPAddr).Port}}}
	})
	err = r.Up(t.Context())
	wantError(t, err, "docker run", "HTTP_PROXY=http://xxxxx@proxy.test:3128")
	discreet(t, "the error", err.Error())
	discreet(t, "the output", out.String())
}

// dockerCLI runs the CLI for what the environment has no call for.
func dockerCLI(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(context.WithoutCancel(t.Context()), "docker", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("docker %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}
