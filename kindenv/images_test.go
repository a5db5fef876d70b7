package kindenv_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/templates"
)

func TestNodeImage(t *testing.T) {
	t.Parallel()
	const absent = "registry.test/node:v1.36.0"
	resolving := func(to string, err error) func(context.Context, string) (string, error) {
		return func(_ context.Context, ref string) (string, error) {
			if ref != absent && err == nil {
				return "", errors.New("asked for " + ref)
			}
			return to, err
		}
	}
	tests := map[string]struct {
		cfg  func(w *world, cfg *kindenv.Config)
		want string   // image of the nodes
		fail []string // in the error
	}{
		"present": {
			cfg:  func(_ *world, cfg *kindenv.Config) { cfg.NodeImage = nodeImage },
			want: nodeImage,
		},
		"in Cluster": {
			cfg:  func(_ *world, cfg *kindenv.Config) { cfg.Cluster.NodeImage = nodeImage },
			want: nodeImage,
		},
		"kind's own": {
			cfg:  func(w *world, _ *kindenv.Config) { w.engine.AddImage(kind.DefaultImage) },
			want: kind.DefaultImage,
		},
		"pulled": {
			cfg: func(w *world, cfg *kindenv.Config) {
				w.engine.AddRemoteImage(absent)
				cfg.NodeImage = absent
			},
			want: absent,
		},
		"resolved": {
			cfg: func(_ *world, cfg *kindenv.Config) {
				cfg.NodeImage, cfg.ResolveImage = absent, resolving(nodeImage, nil)
			},
			want: nodeImage,
		},
		"nowhere": {
			cfg:  func(_ *world, cfg *kindenv.Config) { cfg.NodeImage = absent },
			fail: []string{"node image", absent, "can't be pulled", "NodeImage"},
		},
		"credentials": {
			cfg: func(w *world, cfg *kindenv.Config) {
				w.engine.Fail("Pull", 0, engine.ErrUnauthorized)
				cfg.NodeImage = absent
			},
			fail: []string{absent, "docker login"},
		},
		"resolved to nothing": {
			cfg: func(_ *world, cfg *kindenv.Config) {
				cfg.NodeImage, cfg.ResolveImage = absent, resolving("", nil)
			},
			fail: []string{absent, "knows no other"},
		},
		"resolved to what is not there": {
			cfg: func(_ *world, cfg *kindenv.Config) {
				cfg.NodeImage, cfg.ResolveImage = absent, resolving("localhost/none:v1", nil)
			},
			fail: []string{"localhost/none:v1", engine.ErrNotFound.Error()},
		},
		"not resolved": {
			cfg: func(_ *world, cfg *kindenv.Config) {
				cfg.NodeImage, cfg.ResolveImage = absent, resolving("", errors.New("the build fails"))
			},
			fail: []string{absent, "the build fails"},
		},
		"load balancer of several control planes": {
			cfg: func(_ *world, cfg *kindenv.Config) {
				cfg.NodeImage, cfg.Cluster = nodeImage, templates.Cluster{ControlPlanes: 3}
			},
			fail: []string{"load balancer", kind.LoadBalancerImage},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				env := w.environment(func(cfg *kindenv.Config) {
					cfg.NodeImage = ""
					tt.cfg(w, cfg)
				})
				if tt.fail != nil {
					wantError(t, env.Up(t.Context()), tt.fail...)
					if n := w.called("Create"); n > 0 {
						t.Error("the cluster was created")
					}
					return
				}
				w.up(env)
				if got := w.kind.Created()[0].Image; got != tt.want {
					t.Errorf("the nodes are of %q, want %q", got, tt.want)
				}
			})
		})
	}
}

func TestImagesOfAConfigFile(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.write("kind.yaml", kindFile+"nodes:\n- image: "+nodeImage+"\n")
		env := w.environment(func(cfg *kindenv.Config) { cfg.NodeImage, cfg.ConfigFile = "", "kind.yaml" })
		w.up(env)
		created := w.kind.Created()[0]
		if created.Image != "" || !strings.Contains(string(created.Config), "image: "+nodeImage) {
			t.Errorf("created from image %q and config\n%s\nwant the file as it is", created.Image, created.Config)
		}
	})
}

func TestPullOfTheCloudProviderIsShown(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.provider.onPrepare = func(context.Context) error {
			for current := range int64(3) {
				w.Configured.Progress("registry.test/provider:v1", engine.PullProgress{Layer: "a", Current: current, Total: 2})
			}
			return nil
		}
		w.up(w.environment())
		got := w.out.String()
		if strings.Count(got, "• Pulling registry.test/provider:v1") != 1 || !strings.Contains(got, "✓ Pulling registry.test/provider:v1") {
			t.Errorf("the output does not show one pull that ended:\n%s", got)
		}
	})
}
