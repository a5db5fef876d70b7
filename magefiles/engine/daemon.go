package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

const (
	startBudget = time.Minute
	// stopBudget covers the time that dockerd gives its containers, 15 s.
	stopBudget = 45 * time.Second
	killBudget = 10 * time.Second
	// orphanBudget is for a containerd that ends because its dockerd was killed.
	orphanBudget = 5 * time.Second
	shownLines   = 15
)

// start starts our dockerd, which must not run, and waits until it answers.
func (m *maker) start(ctx context.Context) error {
	dockerd, err := lookPath("dockerd")
	if err != nil {
		return err
	}
	if _, err := m.ensureWrapper(ctx); err != nil {
		return err
	}
	// a containerd whose dockerd was killed is about to end: a new dockerd would take it for its own
	if err := m.end(ctx, orphanBudget); err != nil {
		return err
	}
	if err := m.prepare(); err != nil {
		return err
	}
	if err := m.ensureBridge(ctx); err != nil {
		return err
	}
	log, err := m.newLog()
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(dockerd, "--config-file", m.config()) // without ctx: it outlives this command
	cmd.Dir = "/"
	cmd.Env = with()
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = detached()
	m.say("starting a Docker engine at %s (log: %s)", m.host(), m.log())
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting dockerd: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if err := m.await(ctx, ended); err != nil {
		_ = cmd.Process.Kill() // it may have ended, which is as well
		return fmt.Errorf("starting dockerd: %w\nthe end of %s:\n%s", err, m.log(), lastLines(m.log(), shownLines))
	}
	return nil
}

// prepare makes the folders and the configuration, and removes what a dockerd
// that did not end properly left: a number in a pid file that another program
// has by now keeps dockerd from starting.
func (m *maker) prepare() error {
	for _, dir := range []string{m.dir, m.run} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("making the engine's folders: %w", err)
		}
	}
	for _, file := range []string{m.pidFile(), m.containerdPIDFile()} {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing a stale pid file: %w", err)
		}
	}
	text, err := m.settings().text()
	if err != nil {
		return err
	}
	if err := os.WriteFile(m.config(), text, 0o644); err != nil {
		return fmt.Errorf("writing the engine's configuration: %w", err)
	}
	return nil
}

// await waits until dockerd answers, or has ended.
func (m *maker) await(ctx context.Context, ended <-chan error) error {
	return retry.Until(ctx, startBudget, func(ctx context.Context) error {
		select {
		case err := <-ended:
			return retry.Stop(fmt.Errorf("it ended at once (%v)", err))
		default:
		}
		_, err := m.endpoint(ctx, m.host())
		return err
	})
}

// stop stops our dockerd, and waits until it and its containerd are gone.
func (m *maker) stop(ctx context.Context) error {
	pid := m.pid()
	names, err := m.running(ctx, m.host())
	if err != nil {
		m.say("the engine (process %d) does not answer: %v", pid, err)
	}
	m.say("stopping the engine (process %d) and %d running containers", pid, len(names))
	if err := signal(pid, syscall.SIGTERM); err != nil {
		return err
	}
	return m.end(ctx, stopBudget)
}

// end waits until our dockerd and its containerd are gone, and kills them after the budget.
func (m *maker) end(ctx context.Context, budget time.Duration) error {
	if err := m.awaitEnd(ctx, budget); err == nil || ctx.Err() != nil {
		return err
	}
	m.say("the engine did not stop within %s: killing it", budget)
	for _, pid := range []int{m.pid(), m.containerdPID()} {
		if err := signal(pid, syscall.SIGKILL); err != nil {
			return err
		}
	}
	return m.awaitEnd(ctx, killBudget)
}

func (m *maker) awaitEnd(ctx context.Context, budget time.Duration) error {
	return retry.Until(ctx, budget, func(context.Context) error {
		if pid := m.pid(); pid != 0 {
			return fmt.Errorf("stopping the engine: dockerd (process %d) still runs", pid)
		}
		if pid := m.containerdPID(); pid != 0 {
			return fmt.Errorf("stopping the engine: its containerd (process %d) still runs", pid)
		}
		return nil
	})
}

// signal sends a signal to a process; none to process 0, and it is no failure that it has ended.
func signal(pid int, sig os.Signal) error {
	if pid == 0 {
		return nil
	}
	process, err := os.FindProcess(pid)
	if err == nil {
		err = process.Signal(sig)
	}
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("signalling process %d: %w", pid, err)
	}
	return nil
}

// newLog opens an empty log and keeps the last one beside it.
func (l layout) newLog() (*os.File, error) {
	if err := os.Rename(l.log(), l.lastLog()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("keeping the engine's last log: %w", err)
	}
	log, err := os.Create(l.log())
	if err != nil {
		return nil, fmt.Errorf("opening the engine's log: %w", err)
	}
	return log, nil
}

// lastLines returns the end of a text file, or why it can't be read.
func lastLines(file string, n int) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	return tail(string(text), n)
}

// tail returns the last n lines of a text.
func tail(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
