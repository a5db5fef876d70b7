package docker_test

import (
	"net/http"
	"testing"
	"time"
)

// TestStopRoundsTheGraceUp, since the API counts in seconds and 0 kills at once.
func TestStopRoundsTheGraceUp(t *testing.T) {
	t.Parallel()
	for grace, want := range map[time.Duration]string{0: "0", 100 * time.Millisecond: "1", 15 * time.Second: "15", -time.Second: "0"} {
		d := newDaemon(t)
		d.handle("POST /containers/some/stop", func(w http.ResponseWriter, r *http.Request) {
			if got := r.URL.Query().Get("t"); got != want {
				t.Errorf("grace %s: asked for %q s, want %q", grace, got, want)
			}
			w.WriteHeader(http.StatusNoContent)
		})
		check(t, d.open(t).Stop(t.Context(), "some", grace))
	}
}

func TestKillOfWhatDoesNotRun(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.answer("POST /containers/some/kill", http.StatusConflict, message("Cannot kill container: some: Container some is not running"))
	check(t, d.open(t).Kill(t.Context(), "some"))
}
