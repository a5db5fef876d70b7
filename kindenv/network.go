package kindenv

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/kindenv/internal/lock"
)

// network is the name of the network of the nodes, which is kind's to choose.
func (e *Environment) network() string { return or(e.deps.env(networkVariable), kindNetwork) }

// networkExists says whether the nodes' network is there; the error explains two of its name.
func (s *session) networkExists(ctx context.Context) (bool, error) {
	exists, err := cloudprovider.NetworkExists(ctx, s.eng, s.network())
	if errors.Is(err, engine.ErrUnsupported) {
		return true, nil // such engines don't make two of one name
	}
	if err != nil && !errors.Is(err, cloudprovider.ErrAmbiguousNetwork) {
		err = fmt.Errorf("see whether the nodes' network is there: %w", err)
	}
	return exists, err
}

// reserveNetwork lets one environment at a time create the first cluster of an
// engine, for as long as kind makes the network with it: two that look for it
// at once would make two of that name, which no container can join any more.
// It holds a lock until the network is there, or end is called. There is none
// to hold when the network is there already.
func (s *session) reserveNetwork(ctx context.Context) (end func() error, err error) {
	none := func() error { return nil }
	if exists, err := s.networkExists(ctx); exists || err != nil {
		return none, err
	}
	held, err := lock.Acquire(ctx, s.networkLock(s.eng.Endpoint().Host), func(holder string) {
		s.console.Note(fmt.Sprintf("Waiting for the first cluster on network %q, which is in the making: %s", s.network(), holder))
	})
	if err != nil {
		return none, s.unlocked(ctx, err)
	}
	if exists, err := s.networkExists(ctx); exists || err != nil { // it was made meanwhile
		return none, errors.Join(err, held.Release())
	}
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	released := make(chan error, 1)
	go func() {
		_ = retry.Until(watching, 0, func(ctx context.Context) error {
			if exists, err := s.networkExists(ctx); !exists {
				return cmp.Or(err, errNoNetwork)
			}
			return nil
		})
		released <- held.Release()
	}()
	return func() error {
		stop()
		return <-released
	}, nil
}

var errNoNetwork = errors.New("kind has not made the network yet")

// networkLock is per engine and network. No environment has a name with '_'.
func (e *Environment) networkLock(host string) string {
	return filepath.Join(e.deps.cacheDir(), "locks", digest(sameHost(host))+"_"+digest(e.network()))
}

// statusOfNetwork warns of two networks of one name.
func (s *session) statusOfNetwork(ctx context.Context, status *Status) {
	ctx, cancel := context.WithTimeout(ctx, statusBudget)
	defer cancel()
	if _, err := s.networkExists(ctx); errors.Is(err, cloudprovider.ErrAmbiguousNetwork) {
		status.Warnings = append(status.Warnings, err.Error())
	}
}
