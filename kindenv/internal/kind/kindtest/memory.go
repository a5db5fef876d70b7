package kindtest

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"testing"
)

// NewAPIInMemory is [NewAPI] without a network, so that time in a bubble of
// testing/synctest goes on while somebody waits for an answer. Its address has
// this port, and is reached with [API.Dial] alone.
func NewAPIInMemory(t *testing.T, port uint16, nodes ...string) *API {
	t.Helper()
	l := &memory{
		address:     net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), port)),
		connections: make(chan net.Conn), closed: make(chan struct{}),
	}
	a := serveAPI(t, l, nodes)
	a.Dial = l.dial
	return a
}

// memory is a listener whose connections are pipes.
type memory struct {
	address     net.Addr
	connections chan net.Conn
	closed      chan struct{}
	once        sync.Once
}

func (l *memory) dial(ctx context.Context, _, address string) (net.Conn, error) {
	if address != l.address.String() {
		return nil, fmt.Errorf("dial %s: connection refused", address)
	}
	client, server := net.Pipe()
	select {
	case l.connections <- server:
		return client, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *memory) Accept() (net.Conn, error) {
	select {
	case c := <-l.connections:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *memory) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *memory) Addr() net.Addr { return l.address }
