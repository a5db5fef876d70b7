package kubeapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kubeapi"
)

func TestNodeReports(t *testing.T) {
	t.Parallel()
	client := ask(t, answers{"/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n": `{"spec":{"renewTime":"2026-01-02T03:04:05.678901Z"}}`})
	renewed := time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC)
	if err := client.NodeReports("n", renewed.Add(-time.Millisecond)).Run(t.Context()); err != nil {
		t.Error(err)
	}
	matches(t, client.NodeReports("n", renewed).Run(t.Context()), `the kubelet of node "n" last reported at 03:04:05, before the node was started again`)
	if err := client.NodeReports("m", renewed).Run(t.Context()); !errors.Is(err, kubeapi.ErrNotFound) {
		t.Errorf("got %v, want %v", err, kubeapi.ErrNotFound)
	}
}

func TestSystemPodsSince(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 1, 2, 3, 4, 5, 900, time.UTC)
	pod := func(name, ready, started string) string {
		return fmt.Sprintf(`{"metadata":{"name":%q},"status":{"conditions":[{"type":"Ready","status":%q}],
			"containerStatuses":[{"state":{"running":{"startedAt":%q}}}]}}`, name, ready, started)
	}
	tests := map[string]struct{ pods, want string }{
		"none":                   {``, ""},
		"ready again":            {pod("a", "True", "2026-01-02T03:04:06Z"), ""},
		"started in that second": {pod("a", "True", "2026-01-02T03:04:05Z"), ""},
		"as it was before":       {pod("a", "True", "2026-01-02T03:04:04Z") + "," + pod("b", "True", "2026-01-02T03:04:06Z"), `not ready again since node "n" was started: a`},
		"started, not ready":     {pod("a", "False", "2026-01-02T03:04:06Z"), `not ready again since node "n" was started: a`},
		"no container yet":       {`{"metadata":{"name":"a"}}`, `not ready again since node "n" was started: a`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := ask(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if got, want := r.URL.Query().Get("fieldSelector"), "spec.nodeName=n,status.phase!=Succeeded"; got != want {
					t.Errorf("got fieldSelector %q, want %q", got, want)
				}
				fmt.Fprintf(w, `{"items":[%s]}`, test.pods)
			}))
			err := client.SystemPodsSince("n", since).Run(t.Context())
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			matches(t, err, test.want)
		})
	}
}
