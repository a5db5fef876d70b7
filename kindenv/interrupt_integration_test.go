//go:build integration

package kindenv_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// made are the environments of this run, for the case that it is interrupted:
// tests' clean-ups do not run then.
var made struct {
	sync.Mutex
	names []string
}

func TestMain(m *testing.M) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		fmt.Fprintf(os.Stderr, "%s: removing the clusters of this run\n", <-signals)
		made.Lock() // for good: nothing is to be made from here on
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		for range 3 { // what was asked for before may still come up
			if err := removeMade(ctx, made.names); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
			time.Sleep(time.Second)
		}
		os.Exit(1)
	}()
	os.Exit(m.Run())
}

// removeMade removes the containers of the environments, by label: a Down would
// wait for the test that is at work.
func removeMade(ctx context.Context, names []string) error {
	eng, err := docker.Open(ctx, docker.Options{})
	if err != nil {
		return err
	}
	defer eng.Close()
	for _, name := range names {
		for _, label := range []string{kind.LabelCluster, cloudprovider.LabelOwner, cloudprovider.LabelCluster} {
			found, err := eng.List(ctx, map[string]string{label: name})
			if err != nil {
				return err
			}
			for _, container := range found {
				_ = eng.Remove(ctx, container.ID) // looked at again
			}
		}
	}
	return nil
}

// toRemove notes an environment that is about to be made.
func toRemove(name string) {
	made.Lock()
	defer made.Unlock()
	made.names = append(made.names, name)
}
