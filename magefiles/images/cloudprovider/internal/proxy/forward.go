package proxy

import (
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// dialTime is how long one node may take to accept before the next one is tried.
const dialTime = 3 * time.Second

// acceptPause is the time after a connection that could not be accepted.
const acceptPause = 50 * time.Millisecond

// forwarder serves one port.
type forwarder struct {
	listener net.Listener
	log      Log
	targets  atomic.Pointer[[]string]
	turn     atomic.Uint64
}

func newForwarder(l net.Listener, targets []string, log Log) *forwarder {
	f := &forwarder{listener: l, log: log}
	f.retarget(targets)
	return f
}

func (f *forwarder) retarget(targets []string) { f.targets.Store(&targets) }

func (f *forwarder) close() { f.listener.Close() }

func (f *forwarder) serve() {
	for {
		conn, err := f.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // such as no file descriptor left: others may be closed meanwhile
			f.log("%v: %v", f.listener.Addr(), err)
			time.Sleep(acceptPause)
			continue
		}
		go f.forward(conn)
	}
}

func (f *forwarder) forward(client net.Conn) {
	defer client.Close()
	node, err := f.dial()
	if err != nil {
		f.log("%v -> %v: %v", client.RemoteAddr(), f.listener.Addr(), err)
		return
	}
	defer node.Close()
	f.log("%v -> %v -> %v", client.RemoteAddr(), f.listener.Addr(), node.RemoteAddr())
	var both sync.WaitGroup
	both.Go(func() { pipe(node, client) })
	pipe(client, node)
	both.Wait()
}

// dial connects to the next node in turn, or to one after it.
func (f *forwarder) dial() (net.Conn, error) {
	targets := *f.targets.Load()
	var last error = noNodes{}
	first := f.turn.Add(1)
	for i := range targets {
		target := targets[(first+uint64(i))%uint64(len(targets))]
		conn, err := net.DialTimeout("tcp", target, dialTime)
		if err == nil {
			return conn, nil
		}
		last = err
	}
	return nil, last
}

type noNodes struct{}

func (noNodes) Error() string { return "no node to forward to" }

// pipe copies one direction and hands its end on, so that a side that has said
// everything can still hear the answer.
func pipe(to, from net.Conn) {
	_, err := io.Copy(to, from)
	if err != nil {
		to.Close()
		from.Close()
		return
	}
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}
