package cloudprovider_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
)

func TestDefaults(t *testing.T) {
	t.Parallel()
	cfg := cloudprovider.DefaultConfig()
	if cfg.Image != cloudprovider.DefaultImage || cfg.Network != "kind" || cfg.GatewayChannel != "standard" || !cfg.IngressDefault {
		t.Errorf("got %+v, want upstream's defaults", cfg)
	}
	for name, cfg := range map[string]cloudprovider.Config{"default": cfg, "zero": {}} {
		if err := cfg.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("a", 49)
	for _, test := range []struct {
		name string
		cfg  cloudprovider.Config
		want []string // none: it is valid
	}{
		{"image", cloudprovider.Config{Image: "localhost:5000/a/b:v1@sha256:" + strings.Repeat("0", 64)}, nil},
		{"image ID", cloudprovider.Config{Image: "sha256:" + strings.Repeat("0", 64)}, nil},
		{"malformed image", cloudprovider.Config{Image: "example.com/UPPER:v1"}, []string{"Image", `"example.com/UPPER:v1"`, cloudprovider.DefaultImage}},
		{"channel", cloudprovider.Config{GatewayChannel: "disabled"}, nil},
		{"unknown channel", cloudprovider.Config{GatewayChannel: "beta"}, []string{"GatewayChannel", `"beta"`, `"standard", "experimental", "disabled"`}},
		{"cluster", cloudprovider.Config{ClusterName: "1.a-b"}, nil},
		{"longest cluster", cloudprovider.Config{ClusterName: longest}, nil},
		{"long cluster", cloudprovider.Config{ClusterName: longest + "a"}, []string{"ClusterName", longest, "50 characters", "49"}},
		{"upper-case cluster", cloudprovider.Config{ClusterName: "Demo"}, []string{"ClusterName", `"Demo"`, "lower-case"}},
		{"cluster with a newline", cloudprovider.Config{ClusterName: "demo\n"}, []string{"ClusterName"}},
		{"cluster with a command", cloudprovider.Config{ClusterName: "a$(id)"}, []string{"ClusterName"}},
		{"cluster that is an option", cloudprovider.Config{ClusterName: "-a"}, []string{"ClusterName"}},
		{"network", cloudprovider.Config{Network: "My_net.1-a"}, nil},
		{"malformed network", cloudprovider.Config{Network: "a b"}, []string{"Network", `"a b"`, `"kind"`}},
		{"socket", cloudprovider.Config{SocketPath: "/run/a b.sock"}, nil},
		{"socket with a scheme", cloudprovider.Config{SocketPath: "unix:///run/a.sock"}, []string{"SocketPath", "scheme"}},
		{"relative socket", cloudprovider.Config{SocketPath: "a.sock"}, []string{"SocketPath", "absolute"}},
		{"registry", cloudprovider.Config{Registry: "localhost:5000/hub"}, nil},
		{"registry with a scheme", cloudprovider.Config{Registry: "https://mirror.example.com"}, []string{"Registry", "scheme"}},
		{"registry with a slash", cloudprovider.Config{Registry: "mirror.example.com/"}, []string{"Registry"}},
		{"no registry", cloudprovider.Config{Registry: "hub/path"}, []string{"Registry", "host name"}},
		{"unknown port mapping", cloudprovider.Config{PortMapping: "yes"}, []string{"PortMapping", `"yes"`, `"on", "off"`}},
		{"two at once", cloudprovider.Config{ClusterName: "A", GatewayChannel: "b"}, []string{"ClusterName", "GatewayChannel"}},
	} {
		err := test.cfg.Validate()
		if len(test.want) == 0 {
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		t.Run(test.name, func(t *testing.T) { wantError(t, err, test.want...) })
	}
}

func TestBadConfigTouchesNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	cfg := config()
	cfg.GatewayChannel = "beta"
	c := f.controller(cfg)
	_, status := c.Status(t.Context())
	_, balancers := c.LoadBalancers(t.Context())
	for name, err := range map[string]error{
		"Start": c.Start(t.Context()), "Stop": c.Stop(t.Context()), "Attach": c.Attach(t.Context(), nil), "Run": c.Run(t.Context(), nil),
		"Attached": c.Attached(t.Context()), "PrepareImages": c.PrepareImages(t.Context()), "Status": status, "LoadBalancers": balancers,
	} {
		t.Run(name, func(t *testing.T) { wantError(t, err, "GatewayChannel") })
	}
	if c.Running(t.Context()) {
		t.Error("it runs")
	}
	if calls := f.Calls(); len(calls) > 0 {
		t.Errorf("the engine was asked: %q", calls)
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.AddNetwork("mine")
	f.AddImage("mirror.example.com/envoyproxy/envoy:v1.33.2")
	cfg := cloudprovider.Config{
		Image: image, ClusterName: "demo", Network: "mine", GatewayChannel: "experimental",
		Registry: "mirror.example.com", PortMapping: cloudprovider.PortMappingOn,
	}
	f.mustStart(f.controller(cfg))
	spec, _ := f.Spec(name)
	if got, want := spec.Command, []string{"--gateway-channel=experimental", "--enable-default-ingress=false", "--enable-lb-port-mapping=true"}; !slices.Equal(got, want) {
		t.Errorf("got arguments %q, want %q", got, want)
	}
	want := []string{"MAGEKIND_CLUSTER=demo", "KIND_EXPERIMENTAL_DOCKER_NETWORK=mine", "CLOUD_PROVIDER_KIND_REGISTRY_URL=mirror.example.com"}
	if got := spec.Env; !slices.Equal(got, want) {
		t.Errorf("got environment %q, want %q", got, want)
	}
}

func TestSocketAndPortMapping(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		goos   string
		at     engine.Endpoint
		socket string // empty: an error names SocketPath
		mapped bool
	}{
		{"native", "linux", engine.Endpoint{Host: "unix:///run/x/docker.sock"}, "/run/x/docker.sock", false},
		{"native Podman", "linux", engine.Endpoint{Host: "unix:///run/podman/podman.sock", Kind: engine.Podman}, "/run/podman/podman.sock", false},
		{"WSL2", "linux", engine.Endpoint{Host: "unix:///var/run/docker.sock", Kernel: "5.15.153.1-microsoft-standard-WSL2"}, "/var/run/docker.sock", true},
		{"Desktop on Linux", "linux", engine.Endpoint{Host: "unix:///home/u/.docker/desktop/docker.sock", Remote: true}, "/var/run/docker.sock", true},
		{"colima", "darwin", engine.Endpoint{Host: "unix:///Users/u/.colima/default/docker.sock", Remote: true}, "/var/run/docker.sock", true},
		{"macOS, not known as remote", "darwin", engine.Endpoint{Host: "unix:///Users/u/x.sock"}, "/var/run/docker.sock", true},
		{"Podman machine", "darwin", engine.Endpoint{Host: "unix:///var/folders/x.sock", Kind: engine.Podman, Remote: true}, "/run/podman/podman.sock", true},
		{"Desktop on Windows", "windows", engine.Endpoint{Host: "npipe:////./pipe/docker_engine", OS: "Docker Desktop", Remote: true}, "/var/run/docker.sock", true},
		{"another pipe", "windows", engine.Endpoint{Host: "npipe:////./pipe/other", Remote: true}, "", true},
		{"tcp", "linux", engine.Endpoint{Host: "tcp://10.0.0.1:2376", Remote: true}, "", true},
		{"tcp to a Desktop", "linux", engine.Endpoint{Host: "tcp://127.0.0.1:2375", OS: "Docker Desktop", Remote: true}, "/var/run/docker.sock", true},
		{"ssh", "linux", engine.Endpoint{Host: "ssh://u@host", Remote: true}, "/var/run/docker.sock", true},
		{"ssh to a socket", "linux", engine.Endpoint{Host: "ssh://u@host:22/run/podman/podman.sock", Kind: engine.Podman, Remote: true}, "/run/podman/podman.sock", true},
		{"rootless", "linux", engine.Endpoint{Host: "unix:///run/user/1000/docker.sock", Rootless: true}, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.at.Kind == "" {
				test.at.Kind = engine.Docker
			}
			f := newFixture(t)
			f.SetEndpoint(test.at)
			c := f.controller(config())
			c.SetGOOS(test.goos)
			if err := c.Start(t.Context()); test.socket == "" {
				wantError(t, err, "SocketPath")
				f.wantNames("demo-control-plane")
				cfg := config()
				cfg.SocketPath, test.socket = "/given.sock", "/given.sock"
				c = f.controller(cfg)
				c.SetGOOS(test.goos)
				err = c.Start(t.Context())
				if err != nil {
					t.Fatal(err)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			spec, _ := f.Spec(name)
			if got, want := spec.Mounts[0], (engine.Mount{Source: test.socket, Target: "/var/run/docker.sock"}); got != want {
				t.Errorf("got mount %v, want %v", got, want)
			}
			if got := slices.Contains(spec.Command, "--enable-lb-port-mapping=true"); got != test.mapped {
				t.Errorf("got port mapping %t, want %t", got, test.mapped)
			}
		})
	}
}

func TestPortMappingForced(t *testing.T) {
	t.Parallel()
	for choice, want := range map[cloudprovider.PortMapping]bool{cloudprovider.PortMappingOn: true, cloudprovider.PortMappingOff: false} {
		for _, goos := range []string{"linux", "darwin"} {
			f := newFixture(t)
			cfg := config()
			cfg.PortMapping = choice
			c := f.controller(cfg)
			c.SetGOOS(goos)
			f.mustStart(c)
			spec, _ := f.Spec(name)
			if got := slices.Contains(spec.Command, "--enable-lb-port-mapping=true"); got != want {
				t.Errorf("%s on %s: got %t, want %t", choice, goos, got, want)
			}
		}
	}
}

// TestPodmanIsReachedByTheDockerCLI, which is the only one in the image.
func TestPodmanIsReachedByTheDockerCLI(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.SetEndpoint(engine.Endpoint{Host: "unix:///run/podman/podman.sock", Kind: engine.Podman})
	f.mustStart(f.controller(config()))
	spec, _ := f.Spec(name)
	if want := "KIND_EXPERIMENTAL_PROVIDER=docker"; !slices.Contains(spec.Env, want) {
		t.Errorf("got environment %q, want %q in it", spec.Env, want)
	}
}
