package kindenv_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv"
)

const app = "localhost/app:dev"

func TestUpLoadsImagesOnce(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.engine.AddImage(app)
		with := func(cfg *kindenv.Config) { cfg.Images = []string{app} }
		w.up(w.environment(with))
		w.up(w.environment(with))
		if got := w.kind.Archives(); len(got) != 1 || !strings.Contains(got[0], app) {
			t.Fatalf("loaded %q, want %s once", got, app)
		}
		w.engine.RemoveImage(app)
		w.engine.AddImage(app, enginetest.WithImageID("sha256:anew")) // built again
		w.up(w.environment(with))
		if got := w.kind.Archives(); len(got) != 2 {
			t.Errorf("loaded %q, want %s again", got, app)
		}
		if err := w.environment(with).Load(t.Context(), app); err != nil || len(w.kind.Archives()) != 3 {
			t.Errorf("Load = %v and loaded %d times, want 3", err, len(w.kind.Archives()))
		}
	})
}

func TestUpLoadsImagesIntoANewCluster(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.engine.AddImage(app)
		with := func(cfg *kindenv.Config) { cfg.Images = []string{app} }
		w.up(w.environment(with))
		if err := w.engine.Remove(t.Context(), w.nodes()[0].ID); err != nil { // behind our back
			t.Fatal(err)
		}
		w.up(w.environment(with))
		if got := w.kind.Archives(); len(got) != 2 {
			t.Errorf("loaded %q, want %s into the new cluster too", got, app)
		}
	})
}

func TestLoadRefuses(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		wantError(t, w.environment().Load(t.Context(), app), "cluster", "does not exist", "env:up")
		w.up(w.environment())
		wantError(t, w.environment().Load(t.Context(), app), app, "not on the engine", host)
		w.engine.AddImage(app)
		w.kind.Fail("LoadArchive", errors.New("no space"))
		wantError(t, w.environment().Load(t.Context(), app), "no space")
	})
}

const service = `apiVersion: v1
kind: Service
metadata:
  name: hello
spec:
  type: LoadBalancer
  ports:
  - port: 80
`

// serve makes the API server hold the Service as kubectl leaves it, with more metadata.
func (w *world) serve(port int, more ...string) {
	applied := fmt.Sprintf(`{"apiVersion":"v1","kind":"Service","metadata":{"annotations":{},"name":"hello","namespace":"default"},"spec":{"ports":[{"port":%d}],"type":"LoadBalancer"}}`, port)
	metadata := map[string]any{"annotations": map[string]string{
		"kubectl.kubernetes.io/last-applied-configuration": applied + "\n",
	}}
	for _, key := range more {
		metadata[key] = "2026-01-02T03:04:05Z"
	}
	object, _ := json.Marshal(map[string]any{"metadata": metadata})
	w.api.Answer("/api/v1", `{"resources":[{"name":"services","kind":"Service","namespaced":true},{"name":"services/status","kind":"Service","namespaced":true}]}`)
	w.api.Answer("/api/v1/namespaces/default/services/hello", string(object))
}

// applies counts the calls of kubectl apply that are not ours.
func (w *world) applies(t *testing.T, text string) *int {
	t.Helper()
	n := 0
	w.kind.OnKubectl = func(args []string, stdin string) (string, error) {
		if slices.Contains(args, "apply") && strings.Contains(stdin, text) {
			n++
		}
		return "", nil
	}
	return &n
}

func TestUpAppliesManifests(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.write("deploy/b.yaml", service)
		w.write("deploy/a.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n")
		w.write("deploy/README.md", "no manifest")
		with := func(cfg *kindenv.Config) { cfg.Manifests = []string{"deploy", "https://example.test/c.yaml"} }
		var got []string
		w.kind.OnKubectl = func(args []string, stdin string) (string, error) {
			got = append(got, strings.Join(args, " ")+"\n"+stdin)
			return "", nil
		}
		w.up(w.environment(with))
		if len(got) != 2 || !strings.Contains(got[1], "apply -f https://example.test/c.yaml") {
			t.Fatalf("kubectl was given %q, want the folder and then the URL", got)
		}
		a, b := strings.Index(got[0], "Namespace"), strings.Index(got[0], "LoadBalancer")
		if a < 0 || b < a || strings.Contains(got[0], "no manifest") {
			t.Errorf("the folder's manifests are\n%s\nwant a, then b", got[0])
		}
	})
}

func TestUpAppliesWhatHasChanged(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		there func(w *world)
		want  int
	}{
		"not there":           {there: func(*world) {}, want: 1},
		"there":               {there: func(w *world) { w.serve(80) }, want: 0},
		"there, but changed":  {there: func(w *world) { w.serve(8080) }, want: 1},
		"kubectl made it not": {there: func(w *world) { w.serve(80); w.api.Answer("/api/v1/namespaces/default/services/hello", `{}`) }, want: 1},
		"being deleted":       {there: func(w *world) { w.serve(80, "deletionTimestamp") }, want: 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.write("app.yaml", "---\n"+service+"---\n")
				n := w.applies(t, "hello")
				tt.there(w)
				w.up(w.environment(func(cfg *kindenv.Config) { cfg.Manifests = []string{"app.yaml"} }))
				if *n != tt.want {
					t.Errorf("applied %d times, want %d", *n, tt.want)
				}
			})
		})
	}
}

func TestManifestFailures(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		with := func(cfg *kindenv.Config) { cfg.Manifests = []string{"app.yaml"} }
		wantError(t, w.environment(with).Up(t.Context()), "Manifests[0]", "app.yaml", "no such file")
		if len(w.nodes()) > 0 {
			t.Error("a cluster was made for it")
		}
		w.write("app.yaml", service)
		w.kind.OnKubectl = func(_ []string, stdin string) (string, error) {
			if strings.Contains(stdin, "hello") {
				return "", errors.New("admission denied")
			}
			return "", nil
		}
		wantError(t, w.environment(with).Up(t.Context()), "app.yaml", "admission denied")
		wantError(t, w.environment().Apply(t.Context(), "."), ".", "admission denied")
		w.write("empty/README.md", "nothing")
		wantError(t, w.environment().Apply(t.Context(), "empty"), "empty", "no .yaml")
	})
}
