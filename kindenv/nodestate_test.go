package kindenv_test

import (
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

func TestStatusSaysHowANodeEnded(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		node  engine.Container
		ended time.Duration // so long ago; 0: never
		want  string
	}{
		"just now":      {engine.Container{State: engine.Exited}, time.Millisecond, "exited (0, "},
		"minutes ago":   {engine.Container{State: engine.Exited, ExitCode: 137}, 2 * time.Minute, "exited (137, 2 minutes ago); env:up starts it again"},
		"hours ago":     {engine.Container{State: engine.Exited, ExitCode: 1}, 2 * time.Hour, "exited (1, 2 hours ago)"},
		"days ago":      {engine.Container{State: engine.Exited}, 72 * time.Hour, "exited (0, 3 days ago)"},
		"out of memory": {engine.Container{State: engine.Exited, ExitCode: 137, OOMKilled: true}, time.Hour, "exited (137, out of memory, 60 minutes ago)"},
		"at no time":    {engine.Container{State: engine.Exited, ExitCode: 128, Error: "no such image"}, 0, "exited (128, no such image)"},
		"never began":   {engine.Container{State: engine.Created, Error: "port is already allocated"}, 0, "created (port is already allocated)"},
		"dead":          {engine.Container{State: engine.Dead}, 0, "dead (0); the engine failed to remove it"},
		"on its way":    {engine.Container{State: engine.Restarting, ExitCode: 2}, 0, "restarting (2); the engine starts it again"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				tt.node.Name, tt.node.Labels = "x-worker", map[string]string{kind.LabelCluster: "x", kind.LabelRole: kind.RoleWorker}
				if tt.ended > 0 { // since now: parallel tests may wait for long
					tt.node.EndedAt = time.Now().Add(-tt.ended)
				}
				w.engine.Put(tt.node)
				w.kind.SetUp(w.kind.PutNode("x", kind.RoleControlPlane, nodeImage))
				wantText(t, w.status().String(), "x-worker: "+tt.want)
			})
		})
	}
}
