package kindenv_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
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
			t.Parallel()
			w := newWorld(t)
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
	}
}

func TestImagesOfAConfigFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("kind.yaml", kindFile+"nodes:\n- image: "+nodeImage+"\n")
	env := w.environment(func(cfg *kindenv.Config) { cfg.NodeImage, cfg.ConfigFile = "", "kind.yaml" })
	w.up(env)
	created := w.kind.Created()[0]
	if created.Image != "" || !strings.Contains(string(created.Config), "image: "+nodeImage) {
		t.Errorf("created from image %q and config\n%s\nwant the file as it is", created.Image, created.Config)
	}
}

func TestCgroupV1(t *testing.T) {
	t.Parallel()
	const off = "failCgroupV1: false"
	patched := kindFile + "kubeadmConfigPatches:\n- |\n  kind: KubeletConfiguration\n  failCgroupV1: false\n"
	tests := map[string]struct {
		cgroup  int
		label   string
		image   string
		file    string
		want    bool // the config has it
		wantErr bool
	}{
		"cgroup v2":               {cgroup: 2, image: "node:v1.37.0"},
		"cgroup v1":               {cgroup: 1, image: "node:v1.37.0", want: true},
		"first that refuses":      {cgroup: 1, image: "node:v1.35.0", want: true},
		"last that does not":      {cgroup: 1, image: "node:v1.34.9"},
		"engine does not say":     {cgroup: 0, image: "node:v1.37.0"},
		"version in the label":    {cgroup: 1, image: "node:dev", label: "v1.37.2", want: true},
		"version unknown":         {cgroup: 1, image: "node:dev"},
		"own file lacks it":       {cgroup: 1, image: "node:v1.37.0", file: kindFile, wantErr: true},
		"own file has it":         {cgroup: 1, image: "node:v1.37.0", file: patched, want: true},
		"own file, old version":   {cgroup: 1, image: "node:v1.34.0", file: kindFile},
		"own file with cgroup v2": {cgroup: 2, image: "node:v1.37.0", file: kindFile},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.engine.SetEndpoint(engine.Endpoint{Host: host, Kind: engine.Docker, CgroupVersion: tt.cgroup})
			w.engine.AddImage(tt.image, enginetest.WithLabels(map[string]string{"io.magekind.kubernetes": tt.label}))
			env := w.environment(func(cfg *kindenv.Config) {
				cfg.NodeImage = tt.image
				if tt.file != "" {
					w.write("kind.yaml", tt.file)
					cfg.ConfigFile = "kind.yaml"
				}
			})
			if tt.wantErr {
				wantError(t, env.Up(t.Context()), "cgroup v1", "kind.yaml", "KubeletConfiguration", off)
				return
			}
			w.up(env)
			if got := strings.Contains(string(w.kind.Created()[0].Config), off); got != tt.want {
				t.Errorf("the config has %q: %v, want %v", off, got, tt.want)
			}
			if said := strings.Contains(w.out.String(), off); said != (tt.want && tt.file == "") {
				t.Errorf("said so: %v\n%s", said, w.out)
			}
		})
	}
}

func TestKubernetesOf(t *testing.T) {
	t.Parallel()
	labelled := engine.Image{Labels: map[string]string{"io.magekind.kubernetes": "v1.37.2"}}
	tests := []struct {
		ref   string
		image engine.Image
		want  string
	}{
		{kind.DefaultImage, engine.Image{}, "v1.37.0"},
		{"kindest/node:1.30.1", engine.Image{}, "v1.30.1"},
		{"localhost:5000/node:v1.36.0-rc.1", engine.Image{}, "v1.36.0-rc.1"},
		{"localhost/node:dev", labelled, "v1.37.2"},
		{"localhost/node:v1.30.0", labelled, "v1.37.2"},
		{"localhost:5000/node", engine.Image{}, ""},
	}
	for _, tt := range tests {
		if got := kindenv.KubernetesOf(tt.ref, tt.image); got != tt.want {
			t.Errorf("KubernetesOf(%q, %v) = %q, want %q", tt.ref, tt.image.Labels, got, tt.want)
		}
	}
}
