package cloudprovider_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

func TestStartMakesTheContainer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.mustStart(f.controller(config()))

		f.wantNames(name, "demo-control-plane")
		spec, _ := f.Spec(name)
		if got, want := spec.Command, []string{"--gateway-channel=standard", "--enable-default-ingress=true"}; !slices.Equal(got, want) {
			t.Errorf("got arguments %q, want %q", got, want)
		}
		if got, want := spec.Env, []string{"MAGEKIND_CLUSTER=demo"}; !slices.Equal(got, want) {
			t.Errorf("got environment %q, want %q", got, want)
		}
		if got, want := spec.Mounts, []engine.Mount{{Source: "/var/run/docker.sock", Target: "/var/run/docker.sock"}}; !slices.Equal(got, want) {
			t.Errorf("got mounts %v, want %v", got, want)
		}
		if spec.User != "0" || spec.Network != "kind" || spec.Image != image || spec.Restart != engine.RestartUnlessStopped {
			t.Errorf("got %+v, want user 0, network kind, image %s, and to be restarted", spec, image)
		}
		if len(spec.Files) != 1 || spec.Files[0].Path != "/usr/local/sbin/docker" || spec.Files[0].Mode != 0o755 {
			t.Errorf("got files %v, want the executable script alone", spec.Files)
		}
		labels := f.container(name).Labels
		if labels["io.magekind.cluster"] != "demo" || labels["io.magekind.role"] != "cloud-provider" || labels["io.magekind.settings"] == "" {
			t.Errorf("got labels %v, want cluster, role and settings", labels)
		}
	})
}

func TestStartLeavesTheSameAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		before := f.mustStart(f.controller(config()))
		f.putProxy("kindccm-gw-1", "demo", time.Now())
		calls := len(f.Calls())
		// another process, with no memory of the first
		after := f.mustStart(f.controller(config()))
		if got := f.changes(calls); len(got) > 0 {
			t.Errorf("the second start changed something: %q", got)
		}
		if before.ID != after.ID {
			t.Error("the container was replaced")
		}
		f.wantNames(name, "demo-control-plane", "kindccm-gw-1")
	})
}

func TestStartReplaces(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func(f fixture, id string, cfg *cloudprovider.Config)
		// keeps says that Services' load balancers go on serving
		keeps bool
	}{
		{"exited", func(f fixture, id string, _ *cloudprovider.Config) { f.SetState(id, engine.Exited) }, true},
		{"created", func(f fixture, id string, _ *cloudprovider.Config) { f.SetState(id, engine.Created) }, true},
		{"restarting", func(f fixture, id string, _ *cloudprovider.Config) { f.SetState(id, engine.Restarting) }, true},
		{"paused", func(f fixture, id string, _ *cloudprovider.Config) { f.SetState(id, engine.Paused) }, true},
		{"crashed and restarted", func(f fixture, id string, _ *cloudprovider.Config) { f.Exit(id, 2) }, true},
		{"a new image under the name", func(f fixture, _ string, _ *cloudprovider.Config) {
			f.AddImage(image, enginetest.WithImageID("sha256:new"))
		}, true},
		{"other image", func(f fixture, _ string, cfg *cloudprovider.Config) {
			f.AddImage("example.com/other")
			cfg.Image = "example.com/other"
		}, false},
		{"other arguments", func(_ fixture, _ string, cfg *cloudprovider.Config) { cfg.GatewayChannel = "disabled" }, false},
		{"other port mapping", func(_ fixture, _ string, cfg *cloudprovider.Config) {
			cfg.PortMapping = cloudprovider.PortMappingOn
		}, false},
		{"other mount", func(_ fixture, _ string, cfg *cloudprovider.Config) { cfg.SocketPath = "/run/other.sock" }, false},
		{"other network", func(f fixture, _ string, cfg *cloudprovider.Config) {
			f.AddNetwork("other")
			cfg.Network = "other"
		}, false},
		{"other registry", func(f fixture, _ string, cfg *cloudprovider.Config) {
			f.AddImage("mirror.example.com/envoyproxy/envoy:v1.33.2")
			cfg.Registry = "mirror.example.com"
		}, false},
		{"cluster made anew", func(f fixture, _ string, _ *cloudprovider.Config) {
			f.Remove(t.Context(), f.node)
			f.putNode("demo", time.Now())
		}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				cfg := config()
				before := f.mustStart(f.controller(cfg))
				f.putProxy("kindccm-svc", "demo", time.Now())
				f.putProxy("kindccm-gw-1", "demo", time.Now())
				f.putProxy("kindccm-gw-2", "other", time.Now())
				test.change(f, before.ID, &cfg)
				after := f.mustStart(f.controller(cfg))
				if before.ID == after.ID {
					t.Error("the container was kept")
				}
				want := []string{name, "demo-control-plane", "kindccm-gw-2"}
				if test.keeps {
					want = append(want, "kindccm-svc")
				}
				f.wantNames(want...)
			})
		})
	}
}

func TestStartRemovesStaleLoadBalancers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.putProxy("kindccm-gw-stale", "demo", time.Now())
		f.putProxy("kindccm-gw-other", "demo-2", time.Now())
		f.putProxy("kindccm-serving", "demo", time.Now())
		f.putProxy("kindccm-of-an-earlier-cluster", "demo", time.Now().Add(-2*time.Hour))
		f.Put(engine.Container{Name: "bare", Labels: map[string]string{cloudprovider.LabelCluster: "", cloudprovider.LabelGateway: ""}})
		f.mustStart(f.controller(config()))
		f.wantNames("bare", name, "demo-control-plane", "kindccm-gw-other", "kindccm-serving")
	})
}

func TestStartReplacesBothOfTwo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		first := f.mustStart(f.controller(config()))
		f.Put(engine.Container{Name: "second", Labels: first.Labels, ImageID: first.ImageID})
		f.mustStart(f.controller(config()))
		f.wantNames(name, "demo-control-plane")
	})
}

func TestStartEngineWide(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.mustStart(f.controller(config()))
		f.putProxy("kindccm-gw-1", "demo", time.Now())
		cfg := config()
		cfg.ClusterName = ""
		wide := f.controller(cfg)
		if wide.Running(t.Context()) {
			t.Error("the scoped controller passes for an engine-wide one")
		}
		f.mustStart(wide)
		f.wantNames("cloud-provider-kind", name, "demo-control-plane", "kindccm-gw-1")
		spec, _ := f.Spec("cloud-provider-kind")
		if len(spec.Files) > 0 || len(spec.Env) > 0 {
			t.Errorf("got files %v and environment %q, want none", spec.Files, spec.Env)
		}
	})
}

func TestStartWithoutLogStreaming(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := shortened(cloudprovider.New(f.WithoutCapabilities(), config()))
		if err := c.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := c.Attached(t.Context()); err != nil {
			t.Error(err)
		}
		f.wantNames(name, "demo-control-plane")
	})
}

func TestStartSettlesWithoutClusters(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.behave(enginetest.Behaviour{Logs: attachLog("demo")[:1]})
		f.mustStart(f.controller(config()))
	})
}

func TestUnsupported(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.SetEndpoint(engine.Endpoint{Kind: engine.Containerd})
		c := f.controller(config())
		for name, err := range map[string]error{
			"Start": c.Start(t.Context()), "Stop": c.Stop(t.Context()), "PrepareImages": c.PrepareImages(t.Context()),
		} {
			if !errors.Is(err, cloudprovider.ErrUnsupported) {
				t.Errorf("%s: got %v, want ErrUnsupported", name, err)
			}
		}
		if c.Running(t.Context()) {
			t.Error("it runs on an unsupported engine")
		}
		if calls := f.Calls(); len(calls) > 0 {
			t.Errorf("the engine was asked: %q", calls)
		}
	})
}
