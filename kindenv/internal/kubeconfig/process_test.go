//go:build unix

package kubeconfig_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

// asEnv makes the test binary a process that works on a kubeconfig: its value is
// what to do, the file and the name of the cluster, separated by '|'.
const asEnv = "KUBECONFIG_TEST_AS"

func TestMain(m *testing.M) {
	if task := os.Getenv(asEnv); task != "" {
		go endWithParent()
		if err := act(strings.Split(task, "|")); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// endWithParent ends a process whose parent was killed: then nobody holds the
// other end of its input.
func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}

func act(task []string) error {
	doing, path, name := task[0], task[1], task[2]
	if prepare, found := strings.CutPrefix(doing, "mounted:"); found {
		if err := mounted(prepare, path); err != nil {
			return err
		}
		return refusedOn(path)
	}
	rounds, err := strconv.Atoi(doing)
	switch {
	case doing == "refused":
		if err := nobody(); err != nil {
			return err
		}
		return refusedOn(path)
	case doing == "forever":
		rounds = 1 << 30
	case err != nil:
		return err
	}
	fmt.Println("begin")
	for i := range rounds {
		if err := patiently(func() error {
			_, err := kubeconfig.Merge(context.Background(), []string{path}, ours(name, "https://127.0.0.1:1"))
			return err
		}); err != nil {
			return fmt.Errorf("merge %d: %w", i, err)
		}
		if err := patiently(func() error { return kubeconfig.Remove(context.Background(), path, "kind-"+name) }); err != nil {
			return fmt.Errorf("remove %d: %w", i, err)
		}
	}
	return nil
}

// patiently tries again what gave up to wait for the lock, as happens on a busy machine.
func patiently(do func() error) error {
	for {
		if err := do(); err == nil || !strings.Contains(err.Error(), "gave up after") {
			return err
		}
	}
}

// refusedOn merges into a kubeconfig in dir, and returns the error if all in dir is as it was.
func refusedOn(dir string) error {
	path := filepath.Join(dir, "config")
	_, err := kubeconfig.Merge(context.Background(), []string{path}, ours("x", "https://127.0.0.1:1"))
	if content, err := os.ReadFile(path); err != nil || string(content) != theirs {
		return fmt.Errorf("the file is %q (%w)", content, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		return fmt.Errorf("there are %v (%w)", entries, err)
	}
	return errors.Join(err, kubeconfig.Remove(context.Background(), path, "kind-y"))
}

// process is the test binary at work on a kubeconfig.
func process(t *testing.T, doing, path, name string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), asEnv+"="+strings.Join([]string{doing, path, name}, "|"))
	if _, err := cmd.StdinPipe(); err != nil { // it ends when that does
		t.Fatal(err)
	}
	return cmd
}

// begun starts a process and returns once it is at work.
func begun(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "begin\n" {
		t.Fatalf("got %q and error %v", line, err)
	}
}
