package proxy_test

import (
	"errors"
	"net"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/proxy"
)

// exhausted is a listener that has no file descriptor left the first time.
type exhausted struct {
	net.Listener
	failed atomic.Bool
}

func (e *exhausted) Accept() (net.Conn, error) {
	if !e.failed.Swap(true) {
		return nil, errors.New("accept: too many open files")
	}
	return e.Listener.Accept()
}

func TestForwardsAfterAFailedAccept(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	targets := []string{"127.0.0.1:" + strconv.Itoa(backend(t, "node"))}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		proxy.Forward(&exhausted{Listener: l}, targets, t.Logf)
		l.Close() // so that nobody waits in the queue for ever
	}()
	if got, want := ask(t, l.Addr().(*net.TCPAddr).Port, "hello"), "node heard hello"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	l.Close()
	<-ended
}
