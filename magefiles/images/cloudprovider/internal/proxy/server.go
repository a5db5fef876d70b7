package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Log takes one formatted line.
type Log func(format string, args ...any)

// Server forwards by a configuration that can be replaced while it runs.
type Server struct {
	log   Log
	mu    sync.Mutex
	ports map[int]*forwarder // by the port that is listened on
}

// NewServer returns a server that listens on nothing yet.
func NewServer(log Log) *Server { return &Server{log: log, ports: map[int]*forwarder{}} }

// Apply listens and forwards as c says. Connections that stand are left alone.
// On an error the ports that could be had are served all the same.
func (s *Server) Apply(c Config) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := map[int]bool{}
	var errs []error
	for _, l := range c.Listen {
		wanted[l.Port] = true
		targets := make([]string, len(c.Nodes))
		for i, node := range c.Nodes {
			targets[i] = net.JoinHostPort(node, strconv.Itoa(l.NodePort))
		}
		if err := s.listen(l.Port, targets); err != nil {
			errs = append(errs, err)
		}
	}
	for port, f := range s.ports {
		if !wanted[port] {
			f.close()
			delete(s.ports, port)
			s.log("port %d closed", port)
		}
	}
	return errors.Join(errs...)
}

func (s *Server) listen(port int, targets []string) error {
	if f, ok := s.ports[port]; ok {
		f.retarget(targets)
		s.log("port %d forwards to %v", port, targets)
		return nil
	}
	listener, err := net.Listen("tcp", ":"+strconv.Itoa(port))
	if err != nil {
		return fmt.Errorf("listening on port %d: %w", port, err)
	}
	f := newForwarder(listener, targets, s.log)
	s.ports[port] = f
	s.log("port %d forwards to %v", port, targets)
	go f.serve()
	return nil
}

// Close stops listening on every port.
func (s *Server) Close() {
	_ = s.Apply(Config{})
}

// Run serves as a container's only process until ctx is done: first with the
// saved or the given configuration, then with what [Configure] hands over.
func Run(ctx context.Context, env string, adminPort int, log Log) error {
	return run(ctx, paths{control: control, saved: saved}, env, adminPort, log)
}

type paths struct{ control, saved string }

func run(ctx context.Context, at paths, env string, adminPort int, log Log) error {
	c, err := load(at.saved, env)
	if err != nil {
		return err
	}
	server := NewServer(log)
	defer server.Close()
	if err := server.Apply(c); err != nil {
		return err
	}
	configs, err := net.Listen("unix", at.control)
	if err != nil {
		return fmt.Errorf("listening for configurations: %w", err)
	}
	go server.takeConfigs(configs, at.saved)
	admin := &http.Server{Addr: ":" + strconv.Itoa(adminPort), Handler: adminHandler(), ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() {
		configs.Close()
		admin.Close()
	})
	if err := admin.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving the admin port: %w", err)
	}
	return nil
}

// adminHandler answers, like the real proxy's admin port, whether it is ready.
// It answers only once the first configuration is applied.
func adminHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ready", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "LIVE\n")
	})
	return mux
}

func (s *Server) takeConfigs(from net.Listener, file string) {
	for {
		conn, err := from.Accept()
		if err != nil {
			return
		}
		if err := s.takeConfig(conn, file); err != nil {
			s.log("configuration refused: %v", err)
			_, _ = io.WriteString(conn, err.Error())
		}
		conn.Close()
	}
}

func (s *Server) takeConfig(conn net.Conn, file string) error {
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	raw, err := io.ReadAll(io.LimitReader(conn, 1<<20))
	if err != nil {
		return fmt.Errorf("receiving the configuration: %w", err)
	}
	c, err := parse(raw)
	if err != nil {
		return err
	}
	if err := s.Apply(c); err != nil {
		return err
	}
	return save(file, raw)
}
