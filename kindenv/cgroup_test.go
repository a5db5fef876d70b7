package kindenv_test

import (
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

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
			inWorld(t, func(t *testing.T, w *world) {
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
