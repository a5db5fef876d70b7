package proxy_test

import (
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/proxy"
)

// backend is a node: it answers each connection, once the other side has said
// everything, with its name and what was said.
func backend(t *testing.T, name string) (port int) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				said, _ := io.ReadAll(conn)
				fmt.Fprintf(conn, "%s heard %s", name, said)
			}()
		}
	}()
	return l.Addr().(*net.TCPAddr).Port
}

// freePort is one that nobody listens on at the moment.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// ask says something through a port and returns the answer; empty when the connection is cut.
func ask(t *testing.T, port int, words string) string {
	t.Helper()
	conn, err := net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(port))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Minute))
	fmt.Fprint(conn, words)
	_ = conn.(*net.TCPConn).CloseWrite()
	answer, _ := io.ReadAll(conn)
	return string(answer)
}

func TestForwardsBothWaysAndHandsTheEndOn(t *testing.T) {
	t.Parallel()
	s := proxy.NewServer(t.Logf)
	t.Cleanup(s.Close)
	port := freePort(t)
	apply(t, s, proxy.Config{Nodes: []string{"127.0.0.1"}, Listen: []proxy.Listen{{Port: port, NodePort: backend(t, "node")}}})
	if got, want := ask(t, port, "hello"), "node heard hello"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	long := strings.Repeat("x", 1<<20)
	if got, want := ask(t, port, long), "node heard "+long; got != want {
		t.Errorf("got %d bytes, want %d", len(got), len(want))
	}
}

func TestApplyReplaces(t *testing.T) {
	t.Parallel()
	s := proxy.NewServer(t.Logf)
	t.Cleanup(s.Close)
	first, second := freePort(t), freePort(t)
	apply(t, s, proxy.Config{Nodes: []string{"127.0.0.1"}, Listen: []proxy.Listen{{Port: first, NodePort: backend(t, "one")}}})
	apply(t, s, proxy.Config{Nodes: []string{"127.0.0.1"}, Listen: []proxy.Listen{{Port: first, NodePort: backend(t, "two")}, {Port: second, NodePort: backend(t, "three")}}})
	if got, want := ask(t, first, ""), "two heard "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := ask(t, second, ""), "three heard "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	apply(t, s, proxy.Config{})
	if conn, err := net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(first)); err == nil {
		conn.Close()
		t.Error("got a connection to a port that is no longer in the configuration")
	}
}

func TestNodeThatDoesNotAnswerIsSkipped(t *testing.T) {
	t.Parallel()
	s := proxy.NewServer(t.Logf)
	t.Cleanup(s.Close)
	port := freePort(t)
	apply(t, s, proxy.Config{Nodes: []string{"127.0.0.1", "127.0.0.1:not an address"}, Listen: []proxy.Listen{{Port: port, NodePort: backend(t, "node")}}})
	for range 4 {
		if got, want := ask(t, port, "hi"), "node heard hi"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	apply(t, s, proxy.Config{Listen: []proxy.Listen{{Port: port, NodePort: 1}}})
	if got := ask(t, port, "hi"); got != "" {
		t.Errorf("got %q without any node, want nothing", got)
	}
}

func TestPortThatIsTakenIsSaid(t *testing.T) {
	t.Parallel()
	taken := freePort(t)
	l, err := net.Listen("tcp", ":"+strconv.Itoa(taken))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := proxy.NewServer(t.Logf)
	t.Cleanup(s.Close)
	err = s.Apply(proxy.Config{Listen: []proxy.Listen{{Port: taken, NodePort: 1}}})
	if err == nil || !strings.Contains(err.Error(), "listening on port "+strconv.Itoa(taken)) {
		t.Errorf("got %v, want it to name port %d", err, taken)
	}
}

func apply(t *testing.T, s *proxy.Server, c proxy.Config) {
	t.Helper()
	if err := s.Apply(c); err != nil {
		t.Fatal(err)
	}
}
