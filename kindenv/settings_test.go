package kindenv_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/templates"
)

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		cfg  kindenv.Config
		env  map[string]string
		file string // content of kind.yaml
		want []string
	}{
		"name": {
			cfg:  kindenv.Config{Name: "My_App"},
			want: []string{"Name", `"My_App"`, "lower-case"},
		},
		"name from the environment": {
			env:  map[string]string{"KIND_CLUSTER_NAME": "-x"},
			want: []string{"KIND_CLUSTER_NAME", `"-x"`},
		},
		"long name": {
			cfg:  kindenv.Config{Name: strings.Repeat("a", 60)},
			want: []string{"60 characters", "49"},
		},
		"long name with several control planes": {
			cfg:  kindenv.Config{Name: strings.Repeat("a", 45), Cluster: templates.Cluster{ControlPlanes: 3}},
			want: []string{"45 characters", "several control planes"},
		},
		"runtime": {
			cfg:  kindenv.Config{Runtime: "lxc"},
			want: []string{"Runtime", `"lxc"`, "docker, podman and nerdctl", "give one of them"},
		},
		"runtime from the environment": {
			env:  map[string]string{"KIND_EXPERIMENTAL_PROVIDER": "lxc"},
			want: []string{"KIND_EXPERIMENTAL_PROVIDER", `"lxc"`, "docker, podman and nerdctl"},
		},
		"node image": {
			cfg:  kindenv.Config{NodeImage: "Not An Image"},
			want: []string{"NodeImage", `"Not An Image"`},
		},
		"two node images": {
			cfg:  kindenv.Config{NodeImage: "a:1", Cluster: templates.Cluster{NodeImage: "b:1"}},
			want: []string{"NodeImage", `"a:1"`, `"b:1"`},
		},
		"image to load": {
			cfg:  kindenv.Config{Images: []string{"app:1", "UPPER:x:y"}},
			want: []string{"Images[1]", "UPPER"},
		},
		"empty manifest": {
			cfg:  kindenv.Config{Manifests: []string{""}},
			want: []string{"Manifests", "empty"},
		},
		"timeout": {
			cfg:  kindenv.Config{Timeout: -time.Second},
			want: []string{"Timeout", "-1s"},
		},
		"cluster": {
			cfg:  kindenv.Config{Cluster: templates.Cluster{Workers: -1}},
			want: []string{"Cluster", "Workers"},
		},
		"gateway channel": {
			cfg:  kindenv.Config{CloudProvider: cloudprovider.Config{GatewayChannel: "beta"}},
			want: []string{"CloudProvider", "GatewayChannel", `"beta"`, "experimental"},
		},
		"another cluster for the cloud provider": {
			cfg:  kindenv.Config{Name: "x", CloudProvider: cloudprovider.Config{ClusterName: "y"}},
			want: []string{"CloudProvider.ClusterName", `"y"`, `"x"`},
		},
		"a network that the nodes are not on": {
			cfg:  kindenv.Config{CloudProvider: cloudprovider.Config{Network: "lab"}},
			want: []string{"CloudProvider.Network", `"lab"`, `"kind"`, "KIND_EXPERIMENTAL_DOCKER_NETWORK=lab"},
		},
		"another network than the environment's": {
			cfg:  kindenv.Config{CloudProvider: cloudprovider.Config{Network: "lab"}},
			env:  map[string]string{"KIND_EXPERIMENTAL_DOCKER_NETWORK": "office"},
			want: []string{"CloudProvider.Network", `"lab"`, `"office"`},
		},
		"config file that does not exist": {
			cfg:  kindenv.Config{ConfigFile: "nowhere.yaml"},
			want: []string{"ConfigFile", "nowhere.yaml", "no such file"},
		},
		"config file that is something else": {
			cfg:  kindenv.Config{ConfigFile: "kind.yaml"},
			file: "apiVersion: v1\nkind: Pod\n",
			want: []string{"ConfigFile", "kind.yaml", "not a kind configuration", "Pod", "kind.x-k8s.io/v1alpha4"},
		},
		"config file beside Cluster": {
			cfg:  kindenv.Config{ConfigFile: "kind.yaml", Cluster: templates.Cluster{Workers: 1}},
			file: kindFile,
			want: []string{"ConfigFile", "Cluster"},
		},
		"name that conflicts with the config file's": {
			cfg:  kindenv.Config{ConfigFile: "kind.yaml", Name: "x"},
			file: kindFile + "name: other\n",
			want: []string{`"x"`, "conflicts", `"other"`, "kind.yaml"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				if tt.env != nil {
					w.Env = tt.env
				}
				if tt.file != "" {
					w.write("kind.yaml", tt.file)
				}
				tt.cfg.Dir = w.project
				_, err := kindenv.NewIn(w.World, tt.cfg)
				wantError(t, err, tt.want...)
				if len(w.Opened) > 0 {
					t.Error("an engine was looked for")
				}
			})
		})
	}
}

const kindFile = "apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\n"

func TestName(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		name, env, file, module, want string
	}{
		"given":             {name: "a", env: "b", file: "a", module: "example.test/d", want: "a"},
		"from environment":  {env: "b", file: "c", module: "example.test/d", want: "b"},
		"from config file":  {file: "c", module: "example.test/d", want: "c"},
		"from module":       {module: "example.test/My.App/v2", want: "my.app"},
		"from config, none": {file: "", module: "example.test/d", want: "d"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.Env["KIND_CLUSTER_NAME"] = tt.env
				w.write("go.mod", "module "+tt.module+"\n")
				file := kindFile
				if tt.file != "" {
					file += "name: " + tt.file + "\n"
				}
				w.write("kind.yaml", file)
				env, err := kindenv.NewIn(w.World, kindenv.Config{Name: tt.name, Dir: w.project, ConfigFile: "kind.yaml"})
				if err != nil {
					t.Fatal(err)
				}
				if env.Name() != tt.want || env.Context() != "kind-"+tt.want {
					t.Errorf("Name, Context = %q, %q; want %q, %q", env.Name(), env.Context(), tt.want, "kind-"+tt.want)
				}
			})
		})
	}
}

func TestKubeconfigPathIsPerEngineAndCluster(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		paths := map[string]bool{}
		for _, cfg := range []kindenv.Config{
			{Name: "a"}, {Name: "b"}, {Name: "a", Host: "tcp://elsewhere:2375"},
		} {
			cfg.Dir = w.project
			env, err := kindenv.NewIn(w.World, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if got := env.Kubeconfig(); !strings.HasPrefix(got, w.CacheDir+string(filepath.Separator)) {
				t.Errorf("Kubeconfig = %q, want one under %q", got, w.CacheDir)
			}
			paths[env.Kubeconfig()] = true
		}
		if len(paths) != 3 {
			t.Errorf("the paths are %v, want three", paths)
		}
	})
}

func TestNetworkOfTheCloudProvider(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.Env["KIND_EXPERIMENTAL_DOCKER_NETWORK"] = "lab"
		w.up(w.environment())
		if got := w.Configured; got.Network != "lab" || !got.IngressDefault || got.CacheDir == "" {
			t.Errorf("the cloud provider's Network, IngressDefault, CacheDir = %q, %v, %q; want lab, true and a folder",
				got.Network, got.IngressDefault, got.CacheDir)
		}
	})
}
