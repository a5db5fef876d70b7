package cloudprovider_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// inside puts a running container into a network.
func inside(f *enginetest.Fake, network, name string, labels map[string]string) {
	f.Put(engine.Container{Name: name, Labels: labels, Networks: []engine.Attachment{{Network: "kind", NetworkID: network}}})
}

func node(cluster string) map[string]string {
	return map[string]string{"io.x-k8s.kind.cluster": cluster}
}

func TestNetworkExists(t *testing.T) {
	t.Parallel()
	f := enginetest.NewFake()
	for networks := range 2 {
		if exists, err := cloudprovider.NetworkExists(t.Context(), f, "kind"); exists != (networks == 1) || err != nil {
			t.Errorf("with %d networks: got %v, %v", networks, exists, err)
		}
		f.AddNetwork("kind")
	}
	if exists, err := cloudprovider.NetworkExists(t.Context(), f, "kind"); !exists || !errors.Is(err, cloudprovider.ErrAmbiguousNetwork) {
		t.Errorf("with 2 networks: got %v, %v", exists, err)
	}
}

func TestNetworksOfOneNameAreToldApart(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		first, second map[string]map[string]string // labels by container
		keep          int
		want          []string // after the containers' names; # stands for the other's ID
	}{
		"the second is empty": {
			first: map[string]map[string]string{"a-control-plane": node("a"), "a-cloud-provider": nil},
			keep:  0, want: []string{"docker network rm #"},
		},
		"the first is empty": {
			second: map[string]map[string]string{"a-control-plane": node("a")},
			keep:   1, want: []string{"docker network rm #"},
		},
		"both are in use": {
			first:  map[string]map[string]string{"a-control-plane": node("a"), "a-worker": node("a"), "a-cloud-provider": nil},
			second: map[string]map[string]string{"b-control-plane": node("b"), "b-worker": node("b")},
			keep:   0, want: []string{"kind delete cluster --name b", "docker network rm #"},
		},
		"containers of others": {
			first:  map[string]map[string]string{"a-control-plane": node("a"), "db": nil},
			second: map[string]map[string]string{"web": nil},
			keep:   0, want: []string{"docker network disconnect --force # web", "docker network rm #"},
		},
		"a label that is no name": {
			first:  map[string]map[string]string{"a-control-plane": node("a"), "db": nil},
			second: map[string]map[string]string{"web": node("x; reboot")},
			keep:   0, want: []string{"docker network disconnect --force # web", "docker network rm #"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := enginetest.NewFake()
			f.AddNetwork("kind")
			f.AddNetwork("kind")
			ids, err := f.NetworkIDs(t.Context(), "kind")
			if err != nil {
				t.Fatal(err)
			}
			for i, containers := range []map[string]map[string]string{tt.first, tt.second} {
				for name, labels := range containers {
					inside(f, ids[i], name, labels)
				}
			}
			_, err = cloudprovider.NetworkExists(t.Context(), f, "kind")
			if err == nil {
				t.Fatal("no error")
			}
			told, commands, _ := strings.Cut(err.Error(), "remove all but "+ids[tt.keep][:12]+":")
			want := strings.ReplaceAll("\n  "+strings.Join(tt.want, "\n  "), "#", ids[1-tt.keep][:12])
			if commands != want {
				t.Errorf("the commands are %q, want %q, in\n%v", commands, want, err)
			}
			for i, containers := range []map[string]map[string]string{tt.first, tt.second} {
				_, line, _ := strings.Cut(told, ids[i][:12]+" has ")
				line, _, _ = strings.Cut(line, "\n")
				for name := range containers {
					if !strings.Contains(line, name) {
						t.Errorf("network %s has %q, want %s in it", ids[i][:12], line, name)
					}
				}
			}
		})
	}
}

func TestNetworksOfOneNameOnAnEngineThatFails(t *testing.T) {
	t.Parallel()
	f := enginetest.NewFake()
	f.AddNetwork("kind")
	f.AddNetwork("kind")
	f.Fail("List", 0, engine.ErrUnavailable)
	_, err := cloudprovider.NetworkExists(t.Context(), f, "kind")
	if !errors.Is(err, cloudprovider.ErrAmbiguousNetwork) || !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("got %v, want both reasons", err)
	}
}
