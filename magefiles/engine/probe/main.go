//go:build linux

// Command probe is the whole of the image that tells whether an engine can run
// kind nodes. Without arguments it waits to be stopped; "probe check", run in
// the same container, tries what a node does first.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// lifetime bounds a container that whoever started it forgot.
const lifetime = time.Minute

func main() {
	if len(os.Args) < 2 {
		wait()
		return
	}
	if err := check(); err != nil {
		fmt.Fprintf(os.Stderr, "probe: %v\n", err)
		os.Exit(1)
	}
}

func wait() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	select {
	case <-stop:
	case <-time.After(lifetime):
	}
}

// check mounts a file system, for which an unprivileged container lacks the capability.
func check() error {
	const at = "/probe-mount"
	if err := os.MkdirAll(at, 0o755); err != nil {
		return fmt.Errorf("making a mount point: %w", err)
	}
	if err := syscall.Mount("probe", at, "tmpfs", 0, ""); err != nil {
		return fmt.Errorf("mounting a file system: %w", err)
	}
	return syscall.Unmount(at, 0)
}
