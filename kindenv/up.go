package kindenv

import (
	"context"
	"errors"
	"fmt"
)

// Up makes the environment, or completes what is there of it, and returns when
// all of it is ready: the API server, the nodes, CoreDNS, and the cloud
// provider with its Gateway and Ingress classes. It loads the configured
// images and applies the manifests, and prints a summary. On an environment
// that is ready it changes nothing.
//
// A cluster whose creation was cut off is made anew; any other is kept, also
// when the configuration has changed since, which is said.
func (e *Environment) Up(ctx context.Context) error {
	if err := e.checkManifests(); err != nil {
		return err
	}
	return e.exclusively(ctx, func(ctx context.Context, s *session) error { return s.up(ctx) })
}

func (s *session) up(ctx context.Context) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		if s.wasLaunched() {
			<-s.launcher.ended
		}
	}()
	all, made, err := s.cluster(ctx)
	if err != nil {
		return errors.Join(err, s.unlaunch(ctx))
	}
	err = together(ctx,
		func(ctx context.Context) error { return s.ready(ctx, all) },
		func(ctx context.Context) error { return s.loadMissing(ctx, s.cfg.Images) },
		func(ctx context.Context) error { return s.drift(ctx, made) },
	)
	if err != nil {
		return err
	}
	if err := s.applyAll(ctx, s.cfg.Manifests); err != nil {
		return err
	}
	return s.summarize(ctx)
}

// cluster makes sure that the cluster exists, its nodes run, and there is a
// kubeconfig. made tells whether it was created now.
func (s *session) cluster(ctx context.Context) (all nodes, made bool, err error) {
	all, err = s.nodes(ctx)
	if err != nil {
		return nil, false, err
	}
	if len(all) > 0 {
		adopted, err := s.adopt(ctx, all)
		var half *halfCreated
		if !errors.As(err, &half) {
			return adopted, false, err
		}
		s.console.Note(fmt.Sprintf("Cluster %q is half-created (%s): making it anew", s.name, half.because))
		if err := s.removeNodes(ctx, all); err != nil {
			return nil, false, err
		}
	}
	all, err = s.create(ctx)
	return all, true, err
}
