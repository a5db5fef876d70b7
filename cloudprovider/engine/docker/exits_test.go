package docker_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// again is a container that ended and runs again.
func again() engine.Container {
	ended := time.Unix(1700000000, 5)
	return engine.Container{ID: "a", Name: "app", State: engine.Running, RestartCount: 1, EndedAt: ended, StartedAt: ended.Add(time.Second)}
}

func TestLastExitReadsTheEvents(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		events string
		want   engine.Exit
		ok     bool
	}{
		"forgotten":           {"", engine.Exit{}, false},
		"crashed":             {`{"Action":"die","Actor":{"Attributes":{"exitCode":"2"}}}`, engine.Exit{Code: 2}, true},
		"the latest":          {`{"Action":"die","Actor":{"Attributes":{"exitCode":"2"}}}{"Action":"start"}{"Action":"die","Actor":{"Attributes":{"exitCode":"3"}}}`, engine.Exit{Code: 3}, true},
		"out of memory":       {`{"Action":"oom"}{"Action":"die","Actor":{"Attributes":{"exitCode":"137"}}}`, engine.Exit{Code: 137, OOM: true}, true},
		"oom the time before": {`{"Action":"oom"}{"Action":"die","Actor":{"Attributes":{"exitCode":"137"}}}{"Action":"die","Actor":{"Attributes":{"exitCode":"1"}}}`, engine.Exit{Code: 1}, true},
		"Podman":              {`{"Action":"died","Actor":{"Attributes":{"containerExitCode":"4"}}}`, engine.Exit{Code: 4}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDaemon(t)
			var query string
			d.handle("GET /events", func(w http.ResponseWriter, r *http.Request) {
				query = r.URL.Query().Get("since") + " " + r.URL.Query().Get("until")
				_, _ = w.Write([]byte(c.events))
			})
			got, ok, err := d.open(t).LastExit(t.Context(), again())
			check(t, err)
			if got != c.want || ok != c.ok {
				t.Errorf("got %+v, %t, want %+v, %t", got, ok, c.want, c.ok)
			}
			if want := "1699999998.000000005 1700000001.000000005"; query != want {
				t.Errorf("asked for %q, want %q", query, want)
			}
		})
	}
}

func TestLastExitOfWhatDoesNotRunIsItsState(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	ended := again()
	ended.State, ended.ExitCode, ended.OOMKilled = engine.Restarting, 137, true
	got, ok, err := d.open(t).LastExit(t.Context(), ended)
	check(t, err)
	if want := (engine.Exit{Code: 137, OOM: true}); got != want || !ok {
		t.Errorf("got %+v, %t, want %+v", got, ok, want)
	}
	if asked := d.requests("GET /events"); len(asked) > 0 {
		t.Errorf("the engine was asked: %q", asked)
	}
}

func TestLastExitSaysWhenItFails(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.answer("GET /events", http.StatusInternalServerError, message("no events today"))
	_, _, err := d.open(t).LastExit(t.Context(), again())
	if err == nil || !strings.Contains(err.Error(), `how container "app" ended: no events today`) {
		t.Errorf("got %v, want what failed", err)
	}
}

// TestABrokenContainerDoesNotHideTheOthers: anybody's can be one that the engine no longer describes.
func TestABrokenContainerDoesNotHideTheOthers(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.answer("GET /containers/json", http.StatusOK, []map[string]any{
		{"Id": "a", "Names": []string{"/broken"}, "Image": "app", "State": "exited", "Labels": map[string]string{"own": "x"}}, {"Id": "b"},
	})
	d.answer("GET /containers/a/json", http.StatusInternalServerError, message("RWLayer of container a is unexpectedly nil"))
	d.answer("GET /containers/b/json", http.StatusOK, inspected("b"))
	found, err := d.open(t).List(t.Context(), nil)
	check(t, err)
	if len(found) != 2 {
		t.Fatalf("got %d containers, want both", len(found))
	}
	for _, c := range found {
		if c.ID == "a" && (c.Name != "broken" || c.State != engine.Exited || c.Labels["own"] != "x" || !strings.Contains(c.Error, "RWLayer")) {
			t.Errorf("got %+v, want what the list tells", c)
		}
	}
}
