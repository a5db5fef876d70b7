package docker_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"testing"
)

// executing answers a command: its output, then some looks at which it still runs.
func executing(t *testing.T, output []byte, looks int, code int) *daemon {
	t.Helper()
	d := newDaemon(t)
	d.answer("POST /containers/a/exec", http.StatusCreated, map[string]string{"Id": "x"})
	d.handle("POST /exec/x/start", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprint(conn, "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n")
		_, _ = conn.Write(output)
	})
	d.handle("GET /exec/x/json", func(w http.ResponseWriter, _ *http.Request) {
		looks--
		fmt.Fprintf(w, `{"ID": "x", "Running": %t, "ExitCode": %d}`, looks >= 0, code)
	})
	return d
}

func TestExecWaitsForTheExitCode(t *testing.T) {
	t.Parallel()
	d := executing(t, framed(t), 2, 7)
	var out bytes.Buffer
	code, err := d.open(t).Exec(t.Context(), "a", []string{"true"}, &out)
	check(t, err)
	if code != 7 || out.String() != "one\ntwo\n" {
		t.Errorf("got code %d and %q, want 7 and both lines", code, out.String())
	}
	if got := len(d.requests("GET /exec/x/json")); got != 3 {
		t.Errorf("looked %d times, want 3", got)
	}
}
