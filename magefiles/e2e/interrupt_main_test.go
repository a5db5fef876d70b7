//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

// made is what this run has made, for the case that it is interrupted: tests'
// clean-ups do not run then.
type made struct {
	mu     sync.Mutex
	names  []string // of clusters
	groups []int    // of processes
}

// start starts a command that has a process group of its own.
func (m *made) start(cmd *exec.Cmd) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := cmd.Start(); err != nil {
		return err
	}
	m.groups = append(m.groups, cmd.Process.Pid)
	return nil
}

func (m *made) add(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.names = append(m.names, name)
}

// onInterrupt removes what the run has on the engine when it is interrupted,
// and ends it. mage gives it five seconds.
func (m *made) onInterrupt() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		fmt.Fprintf(os.Stderr, "%s: removing the clusters of this run\n", <-signals)
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		m.mu.Lock() // for good: nothing is to be started from here on
		for _, group := range m.groups {
			_ = syscall.Kill(-group, syscall.SIGKILL) // most have ended
		}
		var wg sync.WaitGroup
		for _, name := range m.names {
			wg.Go(func() { removeAll(ctx, name) })
		}
		wg.Wait()
		os.Exit(1)
	}()
}

// removeAll removes every container that carries a label of the cluster.
func removeAll(ctx context.Context, cluster string) {
	for _, filter := range labels(cluster) {
		ids, err := exec.CommandContext(ctx, "docker", "ps", "-aq", "--filter", filter).Output()
		if err != nil || len(ids) == 0 {
			continue
		}
		args := append([]string{"rm", "-fv"}, strings.Fields(string(ids))...)
		if out, err := exec.CommandContext(ctx, "docker", args...).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "removing cluster %s: %v: %s\n", cluster, err, out)
		}
	}
}
