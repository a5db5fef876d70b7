package kindenv

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

// Up makes the environment, or completes what is there of it, and returns when
// all of it is ready: the API server, the nodes, CoreDNS, and the cloud
// provider with its Gateway and Ingress classes. It loads the configured
// images and applies the manifests, and prints a summary. On an environment
// that is ready it changes nothing.
//
// A cluster whose creation was cut off is made anew; any other is kept, also
// when the configuration has changed since, which is said.
//
// When it fails at its work, which is more than being interrupted or not finding
// an engine, the error is a [Failure], and Out ends with what helps to understand it.
func (e *Environment) Up(ctx context.Context) error {
	if err := e.checkManifests(); err != nil {
		return err
	}
	return redact.Error(e.exclusively(ctx, func(ctx context.Context, s *session) error { return s.explain(ctx, s.up(ctx)) }))
}

func (s *session) up(ctx context.Context) error {
	defer func() {
		if s.wasLaunched() { // and not waited for, after a failure
			s.launcher.cancel()
			<-s.launcher.ended
		}
	}()
	all, err := s.cluster(ctx)
	if err != nil {
		return err
	}
	if err := s.complete(ctx, all); err != nil {
		return err
	}
	return s.summarize(ctx)
}

// complete does all that needs a cluster, once the API server answers: side by
// side, since none of it needs ready nodes, on which the manifests' pods wait by themselves.
func (s *session) complete(ctx context.Context, all nodes) error {
	s.deadline = time.Now().Add(s.cfg.Timeout)
	if err := s.apiReady(ctx, all); err != nil {
		return err
	}
	return together(ctx,
		func(ctx context.Context) error { return s.clusterReady(ctx, all) },
		s.deploy,
		func(ctx context.Context) error { return s.drift(ctx, all) },
	)
}

// cluster makes sure that the cluster exists, its nodes run, and there is a
// kubeconfig.
func (s *session) cluster(ctx context.Context) (nodes, error) {
	if err := s.awaitMade(ctx); err != nil {
		return nil, err
	}
	found, err := s.containers(ctx)
	if err != nil {
		return nil, err
	}
	all, strangers := found.split()
	if all, err = s.settle(ctx, all); err != nil {
		return nil, err
	}
	if len(all) > 0 {
		adopted, err := s.adopt(ctx, all)
		var half *halfCreated
		if !errors.As(err, &half) {
			if err == nil && len(strangers) > 0 {
				s.console.Warn(s.estrange(strangers))
			}
			return adopted, err
		}
		if err := s.refuse(strangers); err != nil {
			return nil, err
		}
		s.console.Note(fmt.Sprintf("Cluster %q is %s: making it anew", s.name, half))
		if err := s.removeNodes(ctx, all); err != nil {
			return nil, err
		}
	}
	if err := s.refuse(strangers); err != nil {
		return nil, err
	}
	s.made = true
	return s.create(ctx)
}
