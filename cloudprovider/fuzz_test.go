package cloudprovider_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/distribution/reference"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// hostile are texts that mean something to some reader on the way.
func hostile() []string {
	return []string{
		"", "demo", "a b", "a\nb", "a\x00b", "\xff", "--privileged", "-v", "=", "a=b", ":ro", "/x:/y", "$(id)", "`id`", "'\"", "*", "\\", "{{.}}",
		"user:secret@mirror.test", "https://mirror.test", "mirror.test:5000/hub", "mirror.test/", "localhost", "docker.io", "docker.io/hub",
		"/run/x.sock", "/run/x.sock,readonly", "unix:///run/x.sock", "//", "standard", "on", "a@sha256:0", strings.Repeat("a", 64), "A", "é",
	}
}

// FuzzConfig: what passes Validate gives a container whose arguments, variables,
// labels, mount and name hold exactly what was set, each in its place.
func FuzzConfig(f *testing.F) {
	for _, s := range hostile() {
		f.Add(s, "kind", "standard", "", "demo", "", "")
		f.Add("", s, s, "/run/docker.sock", s, s, s)
		f.Add("", "", "", s, "", s, "on")
	}
	f.Fuzz(func(t *testing.T, image, network, channel, socket, cluster, registry, mapping string) {
		cfg := cloudprovider.Config{
			Image: image, Network: network, GatewayChannel: channel, SocketPath: socket,
			ClusterName: cluster, Registry: registry, PortMapping: cloudprovider.PortMapping(mapping),
		}
		if cfg.Validate() != nil {
			return
		}
		at := engine.Endpoint{Host: "unix:///run/docker.sock", Kind: engine.Docker}
		spec, err := cloudprovider.SpecOf(cfg, at)
		if err != nil {
			t.Fatal(err)
		}
		mustBePlain(t, spec)
		want := map[string]string{
			"MAGEKIND_CLUSTER": cluster, "CLOUD_PROVIDER_KIND_REGISTRY_URL": registry, "KIND_EXPERIMENTAL_DOCKER_NETWORK": network,
		}
		for _, pair := range spec.Env {
			key, value, _ := strings.Cut(pair, "=")
			if got, ok := want[key]; !ok || got != value {
				t.Errorf("got variable %q, want %s=%q or none", pair, key, got)
			}
		}
		if spec.Labels[cloudprovider.LabelOwner] != cluster || len(spec.Labels) != 2 {
			t.Errorf("got labels %q", spec.Labels)
		}
		if source := spec.Mounts[0].Source; len(spec.Mounts) != 1 || socket != "" && source != socket {
			t.Errorf("got mounts %+v", spec.Mounts)
		}
	})
}

var (
	plainFlag = regexp.MustCompile(`^--(gateway-channel=(standard|experimental|disabled)|enable-default-ingress=(true|false)|enable-lb-port-mapping=true)$`)
	dockerID  = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_.-]+$`) // an engine's rule for names
)

// mustBePlain fails unless a spec can be said in an engine's API without being read as anything else.
func mustBePlain(t *testing.T, spec engine.Spec) {
	t.Helper()
	for _, argument := range spec.Command {
		if !plainFlag.MatchString(argument) {
			t.Errorf("got argument %q", argument)
		}
	}
	if !dockerID.MatchString(spec.Name) || !dockerID.MatchString(spec.Network) {
		t.Errorf("an engine refuses name %q or network %q", spec.Name, spec.Network)
	}
	if _, err := reference.ParseAnyReference(spec.Image); err != nil {
		t.Errorf("an engine refuses image %q: %v", spec.Image, err)
	}
	texts := append([]string{spec.Name, spec.Image, spec.Mounts[0].Source, spec.User}, slices.Concat(spec.Command, spec.Env)...)
	for _, text := range texts {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Errorf("%q can't be said in JSON, or has a control character", text)
		}
	}
}

// FuzzProxyImage: whatever a controller's image answers, and whatever mirror is
// set, what becomes of it is one image reference, at the mirror where it was Docker Hub's.
func FuzzProxyImage(f *testing.F) {
	for _, s := range hostile() {
		f.Add("docker.io/envoyproxy/envoy:v1.33.2\n", s)
		f.Add("log\n"+s+"\n\n", "mirror.test")
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, output, registry string) {
		if (cloudprovider.Config{Registry: registry}).Validate() != nil {
			registry = ""
		}
		got, err := cloudprovider.ProxyImage(output, registry)
		if err != nil {
			return
		}
		named, err := reference.ParseNormalizedNamed(got)
		if err != nil {
			t.Fatalf("answer %q and mirror %q give %q: %v", output, registry, got, err)
		}
		if registry != "" && reference.Domain(named) == "docker.io" && !strings.HasPrefix(registry, "docker.io") {
			t.Errorf("answer %q with mirror %q gives %q, which is Docker Hub's", output, registry, got)
		}
		if strings.ContainsAny(got, " \n\x00") || strings.HasPrefix(got, "-") {
			t.Errorf("got %q", got)
		}
	})
}
