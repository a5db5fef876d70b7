package kindenv

import (
	"context"
)

// deploy loads the images, waits for what manifests rely on, and applies them.
func (s *session) deploy(ctx context.Context) error {
	err := together(ctx,
		s.providerReady,
		func(ctx context.Context) error { return s.loadMissing(ctx, s.cfg.Images) },
		func(ctx context.Context) error {
			return s.await(ctx, nil, s.kubernetes(s.api.DefaultServiceAccount()))
		},
	)
	if err != nil {
		return err
	}
	if len(s.cfg.Manifests) > 0 {
		if err := s.applyAll(ctx, s.cfg.Manifests); err != nil {
			return err
		}
		if err := s.awaitBalancers(ctx); err != nil {
			return err
		}
	}
	return s.mendBalancers(ctx)
}
