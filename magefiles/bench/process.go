package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// hwmPoll is how often the high-water mark of a process is read while it runs.
const hwmPoll = 20 * time.Millisecond

// command runs a program quietly and returns what it printed; the output is
// part of the error.
func command(ctx context.Context, dir string, env []string, stdin string, name string, args ...string) (string, error) {
	out, _, err := measured(ctx, dir, env, stdin, name, args...)
	return out, err
}

// measured is command with the peak resident memory of the process itself, in
// bytes. On Linux that is its high-water mark; what wait4 reports includes the
// largest child, which is the same docker command for both sides. Elsewhere
// wait4's figure is returned.
func measured(ctx context.Context, dir string, env []string, stdin string, name string, args ...string) (string, int64, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	cmd.Stdin = strings.NewReader(stdin)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = 30 * time.Second
	if err := cmd.Start(); err != nil {
		return "", 0, fmt.Errorf("running %s: %w", name, err)
	}
	done, peak := make(chan struct{}), make(chan int64, 1)
	go func() { peak <- highWater(cmd.Process.Pid, done) }()
	err := cmd.Wait()
	close(done)
	mark := <-peak
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && mark == 0 {
		mark = usage.Maxrss * maxrssUnit
	}
	if err != nil {
		return out.String(), mark, fmt.Errorf("running %s %s: %w\n%s", name, strings.Join(args, " "), err, out.String())
	}
	return out.String(), mark, nil
}

// highWater follows the high-water mark of a process until done is closed; 0
// when it cannot be read.
func highWater(pid int, done <-chan struct{}) int64 {
	var peak int64
	tick := time.NewTicker(hwmPoll)
	defer tick.Stop()
	for {
		peak = max(peak, readHighWater(pid))
		select {
		case <-done:
			return peak
		case <-tick.C:
		}
	}
}

func readHighWater(pid int) int64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, rest, found := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(rest)
	if !found || len(fields) == 0 {
		return 0
	}
	kib, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}
