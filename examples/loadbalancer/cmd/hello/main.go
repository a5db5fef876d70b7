// Command hello is an HTTP service that says who answers.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// drain is how long requests may take to end after the pod is told to stop.
const drain = 5 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, ":8080"); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, address string) error {
	name, err := os.Hostname() // in a pod, the pod's name
	if err != nil {
		return fmt.Errorf("asking for the host's name: %w", err)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	log.Printf("%s listens on %s", name, listener.Addr())
	return serve(ctx, listener, handler(name))
}

// serve answers until ctx is done, and then what it has begun to answer.
func serve(ctx context.Context, listener net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}
	drained := make(chan error, 1)
	context.AfterFunc(ctx, func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
		defer cancel()
		drained <- server.Shutdown(end)
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-drained
}

func handler(name string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "Hello from %s\n", name)
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "ok")
	})
	return mux
}
