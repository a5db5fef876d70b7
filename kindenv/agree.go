package kindenv

import (
	"context"
	"fmt"
	"io"

	"github.com/magekind/magekind/kindenv/internal/kind"
)

// kind returns the driver once it is certain that the command it works through
// is there, and reaches the engine that we talk to.
func (s *session) kind(ctx context.Context) (driver, error) {
	s.agreed.Lock()
	defer s.agreed.Unlock()
	if s.agreed.done {
		return s.driver, nil
	}
	if err := s.driver.Available(); err != nil {
		return nil, err
	}
	if err := s.agree(ctx); err != nil {
		return nil, err
	}
	s.agreed.done = true
	return s.driver, nil
}

// agree makes the docker command use the engine that was found. The rule is in
// the package's documentation.
func (s *session) agree(ctx context.Context) error {
	if s.runtimeOf(s.eng) != kind.Docker {
		return nil // the others' commands find their engine by themselves; what they make is looked for afterwards
	}
	ours := s.eng.Endpoint().Host
	if theirs := s.deps.env("DOCKER_HOST"); theirs != "" {
		if sameHost(theirs) == sameHost(ours) {
			return nil
		}
		return fmt.Errorf("the engine is at %q, but DOCKER_HOST, which kind follows, is %q: unset DOCKER_HOST, or let Host name the same engine", ours, theirs)
	}
	theirs, err := s.deps.contextHost(ctx)
	if err == nil && sameHost(theirs) == sameHost(ours) {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.console.Note(fmt.Sprintf("Setting DOCKER_HOST=%s, so that kind uses the same engine", ours))
	if err := s.deps.setenv("DOCKER_HOST", ours); err != nil {
		return fmt.Errorf("set DOCKER_HOST to %q for kind: %w", ours, err)
	}
	return nil
}

// kubectl runs kubectl in the cluster's control plane.
func (s *session) kubectl(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	d, err := s.kind(ctx)
	if err != nil {
		return nil, err
	}
	return d.Kubectl(ctx, s.name, stdin, args...)
}
