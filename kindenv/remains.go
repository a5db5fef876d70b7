package kindenv

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// scratchPrefix begins the names of kind's own kubeconfig and of its lock.
const scratchPrefix = ".creating-"

// scratch names a file for kind to keep its kubeconfig in. It is where Down
// finds it when this process is killed: the credentials in it are a cluster's.
func (s *session) scratch() string {
	return filepath.Join(s.folder(), scratchPrefix+rand.Text())
}

// sweepScratch removes what a killed creation left there.
func (s *session) sweepScratch() {
	entries, _ := os.ReadDir(s.folder()) // without it there is nothing to remove
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), scratchPrefix) {
			_ = os.Remove(filepath.Join(s.folder(), entry.Name()))
		}
	}
}

// makingBudget is how long after a creation began its nodes' containers are
// there at the latest, on a busy machine too.
const makingBudget = 10 * time.Second

// awaitMade waits until an engine has made all nodes of a creation that was killed
// a moment ago. A docker command outlives whoever ran it, and an engine does
// what it was asked for although nobody waits for it any more: a node would
// come up that nobody knows of, after a look had found none.
func (s *session) awaitMade(ctx context.Context) error {
	due := time.Until(s.memory.Began.Add(makingBudget))
	if !s.memory.Creating || due <= 0 || due > makingBudget {
		return nil
	}
	wanted := s.shape.ControlPlanes + s.shape.Workers
	if s.shape.ControlPlanes > 1 {
		wanted++ // kind's load balancer before them
	}
	here := func(ctx context.Context) error {
		all, err := s.nodes(ctx)
		if err == nil && len(all) < wanted {
			err = fmt.Errorf("%d of %d nodes are there", len(all), wanted)
		}
		return err
	}
	if here(ctx) == nil {
		return nil
	}
	return s.step(ctx, "Waiting for what a killed command had asked for ⏳", func(ctx context.Context, _ *progress.Step) error {
		_ = retry.Until(ctx, due, here) // one that was killed before it had asked gets none
		return ctx.Err()
	})
}
