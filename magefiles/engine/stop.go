package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// answers waits a little until our dockerd answers, which it does not when it
// is about to end. Its error says that none runs, or why it does not answer.
func (m *maker) answers(ctx context.Context) error {
	return retry.Until(ctx, answerBudget, func(ctx context.Context) error {
		if m.pid() == 0 {
			return retry.Stop(errors.New("it does not run"))
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
