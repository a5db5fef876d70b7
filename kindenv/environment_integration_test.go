//go:build integration

package kindenv_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// The images to test with. Without one for the cloud provider there is none in the test.
const (
	nodeImageEnv          = "MAGEKIND_E2E_NODE_IMAGE"
	cloudProviderImageEnv = "MAGEKIND_E2E_CLOUD_PROVIDER_IMAGE"
)

// real is an environment on a real engine.
type real struct {
	*kindenv.Environment
	engine     *docker.Engine
	config     kindenv.Config
	kubeconfig string // the user's
	out        output
}

func newReal(t *testing.T, change ...func(*kindenv.Config)) *real {
	t.Helper()
	return newRealIn(t, t.TempDir(), change...)
}

// newRealIn returns one whose files, the user's kubeconfig too, are in dir.
func newRealIn(t *testing.T, dir string, change ...func(*kindenv.Config)) *real {
	t.Helper()
	image := os.Getenv(nodeImageEnv)
	if image == "" {
		t.Skipf("%s names no node image", nodeImageEnv)
	}
	eng, err := docker.Open(t.Context(), docker.Options{})
	if err != nil { // who names an image means it
		t.Fatal(err)
	}
	r := &real{engine: eng, kubeconfig: filepath.Join(dir, "user")}
	t.Setenv("KUBECONFIG", r.kubeconfig)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	cfg := kindenv.Config{
		Name: fmt.Sprintf("kindenv-%d-%d", os.Getpid(), time.Now().UnixMilli()%100000), Dir: dir,
		NodeImage: image, Out: io.MultiWriter(t.Output(), &r.out),
	}
	for _, f := range change {
		f(&cfg)
	}
	if provider := os.Getenv(cloudProviderImageEnv); provider != "" {
		cfg.CloudProvider = cloudprovider.DefaultConfig()
		cfg.CloudProvider.Image = provider
	} else {
		cfg.NoCloudProvider = true
	}
	for _, f := range change {
		f(&cfg)
	}
	if r.Environment, err = kindenv.New(cfg); err != nil {
		t.Fatal(err)
	}
	toRemove(r.Name())
	r.config = cfg
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
		defer cancel()
		if err := errors.Join(r.Down(ctx), eng.Close()); err != nil {
			t.Error(err)
		}
	})
	return r
}

// ids are the IDs of all containers of the environment.
func (r *real) ids(t *testing.T) []string {
	t.Helper()
	var ids []string
	for _, label := range []string{kind.LabelCluster, cloudprovider.LabelOwner, cloudprovider.LabelCluster} {
		found, err := r.engine.List(t.Context(), map[string]string{label: r.Name()})
		if err != nil {
			t.Fatal(err)
		}
		for _, container := range found {
			ids = append(ids, container.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// up must succeed. On a machine that makes several clusters at once kubeadm may
// lack the time for a request of its own, which has a limit of ten seconds.
func (r *real) up(t *testing.T) {
	t.Helper()
	for tries := 1; ; tries++ {
		err := r.Up(t.Context())
		if err == nil {
			return
		}
		if tries == 3 || !strings.Contains(err.Error(), "error execution phase wait-control-plane") {
			t.Fatal(err)
		}
	}
}

func TestLifeOfAnEnvironment(t *testing.T) {
	r := newReal(t)
	r.up(t)
	before := r.ids(t)
	if len(before) == 0 {
		t.Fatal("there are no containers")
	}
	for name, disturb := range map[string]func(ctx context.Context, node string) error{
		"nothing":      func(context.Context, string) error { return nil },
		"paused":       r.engine.Pause,
		"stopped":      func(ctx context.Context, node string) error { return r.engine.Stop(ctx, node, 20*time.Second) },
		"no own files": func(context.Context, string) error { return os.RemoveAll(filepath.Dir(r.Kubeconfig())) },
	} {
		t.Run("up again after "+name, func(t *testing.T) {
			if err := disturb(t.Context(), r.Name()+"-control-plane"); err != nil {
				t.Fatal(err)
			}
			r.up(t)
			status, err := r.Status(t.Context())
			if err != nil || status.API != "ready" || !status.Merged {
				t.Errorf("Status = %+v, %v", status, err)
			}
			if name != "stopped" && !slices.Equal(r.ids(t), before) { // a stop may cost the cloud provider
				t.Errorf("containers are %v, were %v", r.ids(t), before)
			}
		})
	}
	for range 2 {
		if err := r.Down(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if left := r.ids(t); len(left) > 0 {
		t.Errorf("containers are left: %v", left)
	}
	if raw, err := os.ReadFile(r.kubeconfig); err != nil || strings.Contains(string(raw), r.Context()) {
		t.Errorf("the user's kubeconfig (%v):\n%s", err, raw)
	}
	if networks, err := r.engine.NetworkIDs(t.Context(), "kind"); err != nil || len(networks) != 1 {
		t.Errorf("networks named kind: %v, %v; want one", networks, err)
	}
}

func TestInterruptedUp(t *testing.T) {
	r := newReal(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Up(ctx) }()
	for len(r.ids(t)) == 0 && len(ended) == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Up = %v, want %v", err, context.Canceled)
	}
	if left := r.ids(t); len(left) > 0 {
		t.Errorf("containers are left: %v", left)
	}
}
