package kind_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// hangVariable makes this test's binary a docker that hangs, and names the
// folder where it leaves a file named after its process.
const hangVariable = "MAGEKIND_TEST_HANG"

func TestMain(m *testing.M) {
	if folder := os.Getenv(hangVariable); folder != "" && filepath.Base(os.Args[0]) == "docker" {
		if os.WriteFile(filepath.Join(folder, fmt.Sprint(os.Getpid())), []byte(strings.Join(os.Args, " ")), 0o600) == nil {
			time.Sleep(time.Hour)
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// aHungDocker puts a docker on PATH that never answers.
func aHungDocker(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "docker")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv(hangVariable, folder)
	return folder
}

// commands waits until there are n commands, and returns their processes.
func commands(t *testing.T, folder string, n int) []int {
	t.Helper()
	for {
		found, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) < n {
			time.Sleep(time.Millisecond)
			continue
		}
		pids := make([]int, len(found))
		for i, file := range found {
			if _, err := fmt.Sscan(file.Name(), &pids[i]); err != nil {
				t.Fatal(err)
			}
		}
		return pids
	}
}

// TestCommandsThatHangDoNotStay once the engine is known to hang; those about
// other clusters do.
func TestCommandsThatHangDoNotStay(t *testing.T) {
	folder := aHungDocker(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	other, cancelOther := context.WithCancel(t.Context())
	defer cancelOther()
	nodes := func(ctx context.Context, cluster string) <-chan error {
		ended := make(chan error, 1)
		go func() { _, err := newDriver(t).Nodes(ctx, cluster); ended <- err }()
		return ended
	}
	others := nodes(other, "xy")
	kept := commands(t, folder, 1)
	t.Cleanup(func() { _ = syscall.Kill(kept[0], syscall.SIGKILL) })
	ended := nodes(ctx, "x")
	all := commands(t, folder, 2)
	cancel(fmt.Errorf("%w: it hangs", engine.ErrUnavailable))
	if err := <-ended; !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("Nodes = %v, want %v", err, engine.ErrUnavailable)
	}
	for _, pid := range all {
		if slices.Contains(kept, pid) {
			continue
		}
		for syscall.Kill(pid, 0) == nil { // until it has been waited for
			time.Sleep(time.Millisecond)
		}
	}
	cancelOther() // a call that is just cancelled may have others beside it
	<-others
	if err := syscall.Kill(kept[0], 0); err != nil {
		t.Errorf("the command about another cluster: %v", err)
	}
}

func TestAbandonedCreationLeavesNoCommands(t *testing.T) {
	folder := aHungDocker(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- create(ctx, t) }()
	commands(t, folder, 1)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "still busy") {
		t.Errorf("Create = %v, want %v, and that kind is still busy", err, context.Canceled)
	}
	for _, pid := range commands(t, folder, 1) {
		line, err := os.ReadFile(filepath.Join(folder, fmt.Sprint(pid)))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(line), "kind.cluster=x") {
			continue // about no cluster: it ends with the engine
		}
		for syscall.Kill(pid, 0) == nil {
			time.Sleep(time.Millisecond)
		}
	}
}
