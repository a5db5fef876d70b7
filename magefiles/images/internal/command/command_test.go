package command_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/images/internal/command"
)

func ExampleNew() {
	_ = command.New(context.Background(), "true").Run()
}

func TestInterruptedCommandCleansUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		script := `trap 'echo x >"$0/cleaned"; exit 1' INT; : >"$0/ready"; while :; do sleep 0.01; done`
		ended <- command.New(ctx, "sh", "-c", script, dir).Run()
	}()
	for {
		if _, err := os.Stat(filepath.Join(dir, "ready")); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("no error from an interrupted command")
	}
	if _, err := os.Stat(filepath.Join(dir, "cleaned")); err != nil {
		t.Errorf("the command was not asked to end: %v", err)
	}
}
