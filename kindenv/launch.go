package kindenv

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/magekind/magekind/cloudprovider"
)

// Budgets for the removal of what a failed command leaves, cluster or cloud
// provider. They go on after its ctx is done.
const (
	undoBudget = 30 * time.Second
	// hurriedBudget is for commands that were interrupted: mage gives 5 s in all.
	hurriedBudget = 4 * time.Second
)

// undoing returns the ctx for removing what a failed command leaves.
func undoing(ctx context.Context) (context.Context, context.CancelFunc) {
	budget := undoBudget
	if ctx.Err() != nil {
		budget = hurriedBudget
	}
	return context.WithTimeout(context.WithoutCancel(ctx), budget)
}

// launcher starts the cloud provider once, in the background.
type launcher struct {
	once   sync.Once
	cancel context.CancelFunc
	ended  chan struct{}
	err    error

	undo   sync.Once
	undone error
}

// launch starts the cloud provider, if there is to be one, unless that was done
// before. ctx must outlive the start: [session.launched] waits for it.
func (s *session) launch(ctx context.Context) {
	if s.cfg.NoCloudProvider {
		return
	}
	s.launcher.once.Do(func() {
		ctx, s.launcher.cancel = context.WithCancel(ctx)
		s.launcher.ended = make(chan struct{})
		go func() {
			defer close(s.launcher.ended)
			s.launcher.err = s.startProvider(ctx)
		}()
	})
}

// launched launches the cloud provider if need be and waits until it runs.
func (s *session) launched(ctx context.Context) error {
	s.launch(ctx)
	<-s.launcher.ended
	return s.launcher.err
}

// wasLaunched says whether there is something to wait for or to undo.
func (s *session) wasLaunched() bool {
	launched := true
	s.launcher.once.Do(func() { launched = false })
	return launched && s.launcher.ended != nil
}

func (s *session) startProvider(ctx context.Context) error {
	title := "Checking cloud provider ☁️"
	if s.made {
		title = "Starting cloud provider ☁️"
	}
	step := s.console.Step(title)
	err := s.provider.Start(ctx)
	s.pulls.end(err)
	if errors.Is(err, cloudprovider.ErrUnsupported) {
		s.console.Warn("No cloud provider, load balancers stay pending: " + err.Error())
		err = nil
	}
	step.Done(err)
	return err
}

// unlaunch removes, once, a cloud provider that was started for a cluster that
// was not finished.
func (s *session) unlaunch(ctx context.Context) error {
	if !s.wasLaunched() {
		return nil
	}
	s.launcher.undo.Do(func() {
		s.launcher.cancel()
		<-s.launcher.ended
		ctx, cancel := undoing(ctx)
		defer cancel()
		s.launcher.undone = s.provider.Stop(ctx)
	})
	return s.launcher.undone
}
