package cloudprovider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// TestControllerGetsTheSocketAndNoMore holds what the controller's container may
// do, on every kind of engine and with every setting.
func TestControllerGetsTheSocketAndNoMore(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*cloudprovider.Config, *engine.Endpoint){
		"scoped":      func(*cloudprovider.Config, *engine.Endpoint) {},
		"engine-wide": func(c *cloudprovider.Config, _ *engine.Endpoint) { c.ClusterName = "" },
		"podman":      func(_ *cloudprovider.Config, at *engine.Endpoint) { at.Kind = engine.Podman },
		"remote": func(c *cloudprovider.Config, at *engine.Endpoint) {
			at.Remote, at.Host = true, "tcp://10.0.0.1:2376"
			c.SocketPath = "/var/run/docker.sock"
		},
		"ports": func(c *cloudprovider.Config, _ *engine.Endpoint) { c.PortMapping = cloudprovider.PortMappingOn },
		"hub":   func(c *cloudprovider.Config, _ *engine.Endpoint) { c.Registry = "docker.io/mirror" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				f.AddImage("docker.io/mirror/" + strings.TrimPrefix(proxy, "docker.io/"))
				cfg, at := config(), f.Endpoint()
				change(&cfg, &at)
				f.SetEndpoint(at)
				c := f.controller(cfg)
				if err := c.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				status, err := c.Status(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				spec, _ := f.Spec(status.ID)
				if len(spec.Mounts) != 1 || spec.Mounts[0].Target != "/var/run/docker.sock" || !strings.HasSuffix(spec.Mounts[0].Source, ".sock") {
					t.Errorf("got mounts %+v, want the engine's socket alone", spec.Mounts)
				}
				if !spec.ReadOnly || !spec.Unprivileged {
					t.Errorf("got read-only %t, unprivileged %t, want both", spec.ReadOnly, spec.Unprivileged)
				}
			})
		})
	}
}

func TestQuestionGetsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		var asked []engine.Spec
		f.Script(func(spec engine.Spec) enginetest.Behaviour {
			if slices.Equal(spec.Command, []string{"list-images"}) {
				asked = append(asked, spec)
			}
			return exits(0, proxy)
		})
		if err := f.controller(config()).PrepareImages(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(asked) != 1 {
			t.Fatalf("got %d questions, want one", len(asked))
		}
		q := asked[0]
		if len(q.Mounts)+len(q.Files)+len(q.Env) != 0 || q.Network != engine.NoNetwork || !q.ReadOnly || !q.Unprivileged {
			t.Error("got " + fmt.Sprintf("%+v", q) + ", want no mount, file, variable, network, writable file system and privilege")
		}
	})
}
