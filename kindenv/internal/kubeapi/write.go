package kubeapi

import (
	"context"
	"net/http"
)

// Create makes object, in JSON, in the collection at path, such as
// /api/v1/namespaces/default/configmaps. It fails when there is one of that name.
func (c *Client) Create(ctx context.Context, path string, object []byte) error {
	_, err := c.send(ctx, http.MethodPost, path, "application/json", object)
	return err
}

// HastenCoreDNS makes the kubelet ask CoreDNS every second whether it is ready.
// By default it asks every ten, the first time too early, so that the DNS of a
// new cluster is there for nine seconds before anything may use it. The error
// wraps [ErrNotFound] until kubeadm has made the Deployment.
func (c *Client) HastenCoreDNS(ctx context.Context) error {
	const patch = `{"spec":{"template":{"spec":{"containers":[{"name":"coredns","readinessProbe":{"periodSeconds":1}}]}}}}`
	_, err := c.send(ctx, http.MethodPatch, pathCoreDNS, "application/strategic-merge-patch+json", []byte(patch))
	return err
}
