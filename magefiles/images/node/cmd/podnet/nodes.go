package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// node is what the pod network needs to know of a Node object.
type node struct {
	name    string
	address netip.Addr   // internal IPv4 address; invalid while unknown
	pods    netip.Prefix // IPv4 addresses of its pods; invalid while unassigned
	self    bool         // the node that this process runs on
}

// String describes the node for the log, and tells whether anything changed.
func (n node) String() string {
	return fmt.Sprintf("%s (%s, pods %s)", n.name, n.address, n.pods)
}

// own returns the node that this process runs on.
func own(nodes []node) (node, bool) {
	i := slices.IndexFunc(nodes, func(n node) bool { return n.self })
	if i < 0 {
		return node{}, false
	}
	return nodes[i], true
}

// listNodes asks the API server that the kubeconfig file names for all nodes,
// sorted by name.
func listNodes(ctx context.Context, kubeconfig, hostname string) ([]node, error) {
	client, server, err := connect(kubeconfig)
	if err != nil {
		return nil, err
	}
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server+"/api/v1/nodes", nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("list nodes: %s", response.Status)
	}
	return decodeNodes(response.Body, hostname)
}

// decodeNodes reads a NodeList in JSON.
func decodeNodes(body io.Reader, hostname string) ([]node, error) {
	var list struct {
		Items []struct {
			Metadata struct{ Name string }
			Spec     struct{ PodCIDRs []string }
			Status   struct {
				Addresses []struct{ Type, Address string }
			}
		}
	}
	if err := json.NewDecoder(body).Decode(&list); err != nil {
		return nil, fmt.Errorf("decode the list of nodes: %w", err)
	}
	nodes := make([]node, 0, len(list.Items))
	for _, item := range list.Items {
		n := node{name: item.Metadata.Name, self: item.Metadata.Name == hostname}
		for _, text := range item.Spec.PodCIDRs {
			if prefix, err := netip.ParsePrefix(text); err == nil && prefix.Addr().Is4() {
				n.pods = prefix
			}
		}
		for _, a := range item.Status.Addresses {
			if address, err := netip.ParseAddr(a.Address); err == nil && address.Is4() && a.Type == "InternalIP" {
				n.address = address
			}
		}
		nodes = append(nodes, n)
	}
	slices.SortFunc(nodes, func(a, b node) int { return strings.Compare(a.name, b.name) })
	return nodes, nil
}
