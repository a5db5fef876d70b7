package lock_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv/internal/lock"
)

// holdEnv makes the test binary a process that takes the lock named by its
// value, says so, and holds it until it is killed.
const holdEnv = "LOCK_TEST_HOLD"

// endWithParent ends a process whose parent was killed: then nobody holds the
// other end of its input.
func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}

// itself is the test binary as a process of its own, which ends with this one.
func itself(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), env...)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

func TestMain(m *testing.M) {
	if os.Getenv(stressEnv)+os.Getenv(holdEnv) != "" {
		go endWithParent()
	}
	if path := os.Getenv(stressEnv); path != "" {
		os.Exit(stress(path))
	}
	if path := os.Getenv(holdEnv); path != "" {
		if _, err := lock.Acquire(context.Background(), path, nil); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

func TestDeathReleases(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	holder := itself(t, holdEnv+"="+path)
	output, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(output).ReadString('\n'); line != "held\n" {
		t.Fatalf("got %q and error %v, want held", line, err)
	}
	told := ""
	l := acquire(t, path, func(who string) {
		told = who
		if err := holder.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = holder.Wait()
	})
	if want := fmt.Sprintf("process %d ", holder.Process.Pid); !strings.HasPrefix(told, want) {
		t.Errorf("waited for %q, want %q…", told, want)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
}
