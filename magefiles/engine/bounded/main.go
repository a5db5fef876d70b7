//go:build linux

// Command bounded is an OCI runtime: runc, for a host whose capability
// bounding set is not full. Docker's --privileged asks for every capability
// there is, and runc refuses the whole container ("unable to apply caps") when
// the host can't give one of them. bounded takes those out of the request (the
// bundle of create, run and restore; the process file of exec) and then
// becomes runc, with the same arguments.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	err := run(os.Args)
	// run only returns when it failed: otherwise this process has become runc
	fmt.Fprintf(os.Stderr, "bounded: %v\n", err)
	os.Exit(1)
}

func run(args []string) error {
	absent, err := absentCapabilities("/proc/self/status")
	if err != nil {
		return err
	}
	if t, ok := request(args[1:]); ok && len(absent) > 0 {
		if err := edit(t, absent); err != nil {
			return err
		}
	}
	runc, err := findRunc()
	if err != nil {
		return err
	}
	if err := syscall.Exec(runc, args, os.Environ()); err != nil {
		return fmt.Errorf("starting %q: %w", runc, err)
	}
	return nil
}

// findRunc looks at the usual places too: a daemon's PATH may lack the folders for administrators.
func findRunc() (string, error) {
	path, err := exec.LookPath("runc")
	if err == nil {
		return path, nil
	}
	for _, path := range []string{"/usr/local/sbin/runc", "/usr/local/bin/runc", "/usr/sbin/runc", "/usr/bin/runc", "/sbin/runc"} {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("looking for runc: %w", err)
}
