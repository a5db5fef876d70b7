package controller

import (
	"context"
	"slices"
	"strings"

	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/kube"
)

// remove takes the proxy of a Service away that is deleted, being deleted, or
// no longer a load balancer, and lets the Service go.
func (b *balancers) remove(ctx context.Context, key string) error {
	service := b.cluster + "/" + key
	if err := b.docker.Remove(ctx, proxyName(service)); err != nil {
		return err
	}
	if err := b.release(ctx, key); err != nil {
		return err
	}
	delete(b.known, key)
	b.log.Info("Deleted load balancer", "service", key, "cluster", b.cluster)
	return nil
}

// release clears what was written to the Service, if it is still there.
func (b *balancers) release(ctx context.Context, key string) error {
	var s kube.Service
	switch err := b.client.Get(ctx, pathOf(key), &s); {
	case absent(err):
		return nil
	case err != nil:
		return err
	}
	if s.Spec.Type != "LoadBalancer" && len(s.Status.LoadBalancer.Ingress) > 0 {
		if err := b.setStatus(ctx, s, nil); err != nil && !absent(err) {
			return err
		}
		if err := b.client.Get(ctx, pathOf(key), &s); err != nil { // it has a new version now
			return ignoreAbsent(err)
		}
	}
	return ignoreAbsent(b.setFinalizer(ctx, s, false))
}

func ignoreAbsent(err error) error {
	if absent(err) {
		return nil
	}
	return err
}

// setStatus writes a load balancer's addresses to its Service; none clears them.
func (b *balancers) setStatus(ctx context.Context, s kube.Service, addresses []string) error {
	var state any
	if len(addresses) > 0 {
		var l kube.LoadBalancer
		for _, a := range addresses {
			l.Ingress = append(l.Ingress, kube.Ingress{IP: a})
		}
		if slices.Equal(l.Ingress, s.Status.LoadBalancer.Ingress) {
			return nil
		}
		state = l
	}
	return b.client.Patch(ctx, s.Path()+"/status", object{"status": object{"loadBalancer": state}})
}

// setFinalizer adds or takes off the finalizer. The version of s guards the
// finalizers of others: a conflict is tried again with the next look.
func (b *balancers) setFinalizer(ctx context.Context, s kube.Service, on bool) error {
	if slices.Contains(s.Metadata.Finalizers, kube.Finalizer) == on {
		return nil
	}
	kept := slices.DeleteFunc(slices.Clone(s.Metadata.Finalizers), func(f string) bool { return f == kube.Finalizer })
	if on {
		kept = append(kept, kube.Finalizer)
	}
	return b.client.Patch(ctx, s.Path(), object{"metadata": object{"resourceVersion": s.Metadata.ResourceVersion, "finalizers": kept}})
}

// pathOf is where the API serves the Service "namespace/name".
func pathOf(key string) string {
	var s kube.Service
	s.Metadata.Namespace, s.Metadata.Name = split(key)
	return s.Path()
}

func split(key string) (namespace, name string) {
	namespace, name, _ = strings.Cut(key, "/")
	return namespace, name
}
