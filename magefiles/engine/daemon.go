package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

const (
	startBudget  = time.Minute
	answerBudget = 20 * time.Second
	// stopBudget covers the time that dockerd gives its containers, 15 s.
	stopBudget = 45 * time.Second
	killBudget = 10 * time.Second
	// orphanBudget is for a containerd that ends because its dockerd was killed.
	orphanBudget = 5 * time.Second
	// shownLines of what a program printed are in its error, or of a log.
	shownLines = 15
)

// start starts our dockerd, which must not run, and waits until it answers.
func (m *maker) start(ctx context.Context) error {
	dockerd, err := lookPath("dockerd")
	if err != nil {
		return err
	}
	if err := m.furnish(ctx); err != nil {
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

// furnish makes everything that our dockerd needs.
func (m *maker) furnish(ctx context.Context) error {
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
	return m.raiseLimits(inotifyDir)
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
