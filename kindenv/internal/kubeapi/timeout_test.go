package kubeapi_test

import (
	"errors"
	"net"
	"net/http"
	"testing"
	"time"
)

// TestServerThatHangs costs one request's time, also where ctx has no end and
// where an answer begins and stops.
func TestServerThatHangs(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	client := ask(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/begins" {
			_, _ = w.Write([]byte(`{"items":[`))
			_ = http.NewResponseController(w).Flush()
		}
		<-ended
	}))
	defer close(ended)
	if got, want := *client.Timeout(), 5*time.Second; got != want {
		t.Errorf("a request may take %s, want %s", got, want)
	}
	*client.Timeout() = 50 * time.Millisecond
	for _, path := range []string{"/hangs", "/begins"} {
		var into struct{}
		err := client.Get(t.Context(), path, &into)
		if late := net.Error(nil); !errors.As(err, &late) || !late.Timeout() {
			t.Errorf("%s: got %v, want a timeout", path, err)
		}
	}
}
