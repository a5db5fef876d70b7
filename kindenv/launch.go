package kindenv

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/magekind/magekind/cloudprovider"
)

// undoBudget bounds the removal of what a failed creation leaves, cluster or cloud provider.
const undoBudget = 10 * time.Second

// launcher starts the cloud provider once, in the background.
type launcher struct {
	once  sync.Once
	ended chan struct{}
	err   error
}

// launch starts the cloud provider, if there is to be one, unless that was done
// before. ctx must outlive the start: [session.launched] waits for it.
func (s *session) launch(ctx context.Context) {
	if s.cfg.NoCloudProvider {
		return
	}
	s.launcher.once.Do(func() {
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

// unlaunch removes a cloud provider that was started for a cluster that was not finished.
func (s *session) unlaunch(ctx context.Context) error {
	if !s.wasLaunched() {
		return nil
	}
	<-s.launcher.ended
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoBudget)
	defer cancel()
	return s.provider.Stop(ctx)
}
