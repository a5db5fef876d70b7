package proxy

import (
	"context"
	"net"
)

// Send hands over a configuration at an address of the test's own.
var Send = send

// RunAt is Run with paths of the test's own.
func RunAt(ctx context.Context, control, saved, env string, adminPort int, log Log) error {
	return run(ctx, paths{control, saved}, env, adminPort, log)
}

// Forward serves a listener of the test's own until that is closed.
func Forward(l net.Listener, targets []string, log Log) { newForwarder(l, targets, log).serve() }
