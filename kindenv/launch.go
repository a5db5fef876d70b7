package kindenv

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/kindenv/internal/kubeapi"
	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

// undoBudget bounds the removal of a cloud provider whose cluster was never finished.
const undoBudget = 10 * time.Second

// launcher starts the cloud provider once, in the background.
type launcher struct {
	once  sync.Once
	ended chan struct{}
	err   error
}

// launch starts the cloud provider, unless that was done before. ctx must
// outlive the start: [session.launched] waits for it.
func (s *session) launch(ctx context.Context) {
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
	if s.cfg.NoCloudProvider {
		return nil
	}
	title := "Checking cloud provider ☁️"
	if s.made {
		title = "Starting cloud provider ☁️"
	}
	step := s.console.Step(title)
	err := s.provider.Start(ctx)
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

// awaitAPI waits until the API server of a cluster in the making answers its
// administrator. Before that the cloud provider would fail to attach, and
// only try again half a minute later.
func (s *session) awaitAPI(ctx context.Context) error {
	execer, ok := s.eng.(engine.Execer)
	if !ok || s.cfg.NoCloudProvider {
		return engine.ErrUnsupported
	}
	var client *kubeapi.Client
	return retry.Until(ctx, 0, func(ctx context.Context) error {
		if client == nil {
			var err error
			if client, err = s.earlyClient(ctx, execer); err != nil {
				return err
			}
		}
		var namespace struct{}
		return client.Get(ctx, "/api/v1/namespaces/kube-system", &namespace)
	})
}

// earlyClient reads the kubeconfig that kubeadm leaves in the control plane.
func (s *session) earlyClient(ctx context.Context, execer engine.Execer) (*kubeapi.Client, error) {
	all, err := s.nodes(ctx)
	if err != nil {
		return nil, err
	}
	at, ok := all.apiServer()
	if !ok {
		return nil, errors.New("no node publishes the API server yet")
	}
	var out strings.Builder
	code, err := execer.Exec(ctx, all.control(), []string{"cat", "/etc/kubernetes/admin.conf"}, &out)
	if err != nil {
		return nil, err
	}
	if code != 0 {
		return nil, errors.New("kubeadm has written no kubeconfig yet")
	}
	access, err := kubeconfig.Parse([]byte(out.String()))
	if err != nil {
		return nil, err
	}
	access.Server = "https://" + reachable(at).String()
	return kubeapi.New(access)
}

// reachable is the address to dial for a port that is published on every address.
func reachable(at netip.AddrPort) netip.AddrPort {
	switch {
	case !at.Addr().IsUnspecified():
		return at
	case at.Addr().Is4():
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
	}
	return netip.AddrPortFrom(netip.IPv6Loopback(), at.Port())
}
