package kindenv

import (
	"context"
	"errors"
	"fmt"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// create makes the cluster, and meanwhile gets the cloud provider's images and
// starts it as soon as the API server can be used.
func (s *session) create(ctx context.Context) (nodes, error) {
	d, err := s.kind(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.networkExists(ctx); err != nil {
		return nil, err
	}
	image, images, err := s.prepareNodeImages(ctx)
	if err != nil {
		return nil, err
	}
	config, err := s.kindConfig(images)
	if err != nil {
		return nil, err
	}
	if _, err := s.imageIDs(ctx, s.cfg.Images); err != nil { // before a cluster is made for nothing
		return nil, err
	}
	if err := s.warnOfLimits(ctx); err != nil {
		return nil, err
	}
	end, err := s.reserveNetwork(ctx)
	if err != nil {
		return nil, err
	}
	all, err := s.createFrom(ctx, d, kind.CreateSpec{Name: s.name, Image: image, Config: config, Failed: s.onFailedCreation()})
	return all, errors.Join(err, end())
}

// createFrom runs the creation, which it remembers as such until it has ended.
func (s *session) createFrom(ctx context.Context, d driver, spec kind.CreateSpec) (nodes, error) {
	s.memory.begin()
	if err := s.memory.keep(); err != nil {
		return nil, err
	}
	s.sweepScratch()
	spec.Scratch = s.scratch()
	raw, err := s.createBeside(ctx, d, spec)
	if err != nil {
		return nil, errors.Join(err, s.unlaunch(ctx), s.undone(ctx, err))
	}
	all, err := s.created(ctx, d, raw)
	if err != nil {
		return nil, errors.Join(err, s.undone(ctx, err))
	}
	return all, nil
}

// undone forgets a creation that failed and left no nodes: a cluster that is
// there later was made by somebody else, and is not to be taken for its remains;
// unless kind was still busy: then it was begun a moment ago, as far as is known.
func (s *session) undone(ctx context.Context, failure error) error {
	if errors.Is(failure, kind.ErrBusy) {
		s.memory.begin()
		return s.memory.keep()
	}
	ctx, cancel := undoing(ctx)
	defer cancel()
	if left, err := s.nodes(ctx); err != nil || len(left) > 0 {
		return nil //nolint:nilerr // as far as is known there are remains
	}
	if s.memory.Merged == "" { // then the user's kubeconfig has nothing of it
		return s.forgetFiles(nil)
	}
	return s.forget(ctx)
}

// createBeside runs kind's creation beside the work on the cloud provider.
// An image that can't be had ends the creation; what else goes wrong with the
// cloud provider is told once the cluster is there.
func (s *session) createBeside(ctx context.Context, d driver, spec kind.CreateSpec) (raw []byte, err error) {
	creating, created := context.WithCancel(ctx)
	defer created()
	prepared := make(chan struct{})
	var creation error
	err = together(ctx,
		func(ctx context.Context) error {
			defer created()
			raw, creation = d.Create(ctx, spec)
			if creation != nil && s.cfg.ConfigFile != "" {
				creation = fmt.Errorf("%w\n\tthe kind configuration is that of ConfigFile %q", creation, s.cfg.ConfigFile)
			}
			return creation
		},
		func(ctx context.Context) error {
			if err := s.prepareProvider(ctx); err != nil {
				return err
			}
			close(prepared)
			return nil
		},
		func(group context.Context) error {
			s.workAhead(ctx, group, creating, prepared)
			if ctx.Err() != nil { // beside kind's own clean-up, since there are seconds for all of it
				_ = s.unlaunch(ctx) // create tells
			}
			return nil
		},
	)
	if errors.Is(creation, kind.ErrBusy) && !errors.Is(err, kind.ErrBusy) { // a consequence of err, but not only that
		err = errors.Join(err, creation)
	}
	return raw, err
}

// prepareProvider gets the cloud provider's images.
func (s *session) prepareProvider(ctx context.Context) error {
	if s.cfg.NoCloudProvider {
		return nil
	}
	err := s.provider.PrepareImages(ctx)
	shown := s.pulls.end(err)
	if errors.Is(err, cloudprovider.ErrUnsupported) {
		return nil // said when it would be started
	}
	if err != nil && !shown && ctx.Err() == nil { // else kind's step, which it cuts off, would get the blame
		s.console.Step("Getting the cloud provider's images 📥").Done(err)
	}
	return err
}

// created checks that the new cluster is on the engine that we talk to, and
// takes its kubeconfig over.
func (s *session) created(ctx context.Context, d driver, raw []byte) (nodes, error) {
	all, err := s.nodes(ctx)
	if err != nil {
		return nil, err
	}
	if all.control() == "" {
		err := fmt.Errorf("kind made cluster %q, but not on the engine at %q: the %q command reaches another one; see `docker context ls`, or set DOCKER_HOST",
			s.name, s.eng.Endpoint().Host, s.runtimeOf(s.eng))
		ctx, cancel := undoing(ctx)
		defer cancel()
		return nil, errors.Join(err, d.Delete(ctx, s.name))
	}
	if err := s.use(raw); err != nil {
		return nil, err
	}
	s.memory.about(all.control())
	s.memory.Creating = false
	return all, s.saveKubeconfig(ctx, raw)
}
