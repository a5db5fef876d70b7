// Command provider stands for a cloud provider in integration tests. Its first
// argument, from the image's entrypoint, says what it does:
//
//	crash  says two lines and exits with code 3
//	mute   says nothing and runs until it is stopped
//	serve  checks that it was set up as a controller needs it, says that it
//	       serves the cluster, and runs until it is stopped; told to, it eats memory
//	later  does as serve without the cluster, and exits with code 3 soon after
//	eat    tells the one with process ID 1 to eat memory
//	kill   kills the process with the ID that follows
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"syscall"
	"time"
)

func main() {
	if slices.Contains(os.Args[2:], "list-images") {
		fmt.Println(os.Getenv("PROVIDER_IMAGE"))
		return
	}
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	hungry := make(chan os.Signal, 1)
	signal.Notify(hungry, syscall.SIGUSR1)
	switch os.Args[1] {
	case "eat":
		end(syscall.Kill(1, syscall.SIGUSR1))
	case "kill":
		pid, err := strconv.Atoi(os.Args[2])
		end(errors.Join(err, syscall.Kill(pid, syscall.SIGKILL)))
	case "later":
		fmt.Printf("%q cluster=%q\n", "Connected successfully", os.Getenv("MAGEKIND_CLUSTER"))
		time.Sleep(time.Second)
		fmt.Println("panic: later")
		os.Exit(3)
	case "crash":
		// on one stream: an engine promises no order between the two
		fmt.Fprintln(os.Stderr, "first words")
		fmt.Fprintln(os.Stderr, "last words")
		os.Exit(3)
	case "serve":
		if err := setup(ctx); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(4)
		}
		fmt.Printf("%q cluster=%q\n", "Starting cloud controller", os.Getenv("MAGEKIND_CLUSTER"))
	}
	select {
	case <-ctx.Done():
		fmt.Println("stopped gracefully")
	case <-hungry:
		for all := [][]byte{}; ; {
			all = append(all, bytes.Repeat([]byte{1}, 1<<20))
		}
	}
}

func end(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// setup asks the engine through the mounted socket and looks at the script.
func setup(ctx context.Context) error {
	script, err := os.Stat("/usr/local/sbin/docker")
	if err != nil || script.Mode() != 0o755 {
		return fmt.Errorf("the script is %v: %w", script, err)
	}
	if os.Getuid() != 0 {
		return fmt.Errorf("the user is %d", os.Getuid())
	}
	client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", "/var/run/docker.sock")
	}}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://engine/_ping", nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("ask the engine through the mounted socket: %w", err)
	}
	return response.Body.Close()
}
