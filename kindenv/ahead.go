package kindenv

import (
	"context"
	"errors"
	"net/netip"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
	"github.com/magekind/magekind/kindenv/internal/kubeapi"
	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

// workAhead does, while creating lasts, what needs no more than an API server:
// it starts the cloud provider, once its images are prepared, for as long as
// ctx lasts; it has CoreDNS found ready sooner; and it loads images, for which
// it may go on until group ends. It is only about time: what does not get done
// here is done, or waited for, later.
func (s *session) workAhead(ctx, group, creating context.Context, prepared <-chan struct{}) {
	client, err := s.awaitAPI(creating)
	if err != nil {
		return
	}
	defer client.Close()
	_ = separately(
		func() error {
			select {
			case <-prepared:
				s.launch(ctx)
			case <-creating.Done():
			}
			return nil
		},
		func() error { return retry.Until(creating, 0, client.HastenCoreDNS) },
		func() error { return s.loadMissing(group, s.cfg.Images) },
	)
}

// awaitAPI waits until the API server of a cluster in the making answers its
// administrator. Before that the cloud provider would fail to attach, and
// only try again half a minute later.
func (s *session) awaitAPI(ctx context.Context) (client *kubeapi.Client, err error) {
	execer, ok := s.eng.(engine.Execer)
	if !ok {
		return nil, engine.ErrUnsupported
	}
	err = retry.Until(ctx, 0, func(ctx context.Context) error {
		if client == nil {
			if client, err = s.earlyClient(ctx, execer); err != nil {
				return err
			}
		}
		var namespace struct{}
		return client.Get(ctx, "/api/v1/namespaces/kube-system", &namespace)
	})
	return client, err
}

// earlyClient reads the kubeconfig that kubeadm leaves in the control plane.
func (s *session) earlyClient(ctx context.Context, execer engine.Execer) (*kubeapi.Client, error) {
	all, err := s.nodes(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.memory.making(all.control()); err != nil {
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
	return kubeapi.New(access, s.deps.dial)
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
