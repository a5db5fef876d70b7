package kubeapi

import (
	"context"
	"strings"
)

// Node is a node of the cluster.
type Node struct {
	Name       string
	Ready      bool
	Reason     string // why it is not ready, as the kubelet says; empty when it is
	Role       string // control-plane or worker
	Version    string // of its kubelet, such as v1.37.0
	InternalIP string
}

type nodeList struct {
	Items []struct {
		Metadata struct {
			Name   string            `json:"name"`
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
		Status struct {
			Conditions []condition `json:"conditions"`
			Addresses  []struct {
				Type    string `json:"type"`
				Address string `json:"address"`
			} `json:"addresses"`
			NodeInfo struct {
				KubeletVersion string `json:"kubeletVersion"`
			} `json:"nodeInfo"`
		} `json:"status"`
	} `json:"items"`
}

// Nodes returns the cluster's nodes in the API server's order: by name.
func (c *Client) Nodes(ctx context.Context) ([]Node, error) {
	var list nodeList
	if err := c.Get(ctx, "/api/v1/nodes", &list); err != nil {
		return nil, err
	}
	nodes := make([]Node, 0, len(list.Items))
	for _, item := range list.Items {
		node := Node{Name: item.Metadata.Name, Role: "worker", Version: item.Status.NodeInfo.KubeletVersion}
		if _, ok := item.Metadata.Labels["node-role.kubernetes.io/control-plane"]; ok {
			node.Role = "control-plane"
		}
		for _, address := range item.Status.Addresses {
			if address.Type == "InternalIP" && node.InternalIP == "" {
				node.InternalIP = address.Address
			}
		}
		ready, found := find(item.Status.Conditions, "Ready")
		if node.Ready = found && ready.holds(); !node.Ready {
			node.Reason = ready.describe("Ready", found)
		}
		nodes = append(nodes, node)
	}
	return nodes, nil
}

// Version returns the API server's version, such as v1.37.0.
func (c *Client) Version(ctx context.Context) (string, error) {
	var info struct {
		GitVersion string `json:"gitVersion"`
	}
	err := c.Get(ctx, "/version", &info)
	return info.GitVersion, err
}

// condition is a condition in an object's status.
type condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func find(conditions []condition, kind string) (condition, bool) {
	for _, c := range conditions {
		if c.Type == kind {
			return c, true
		}
	}
	return condition{}, false
}

func (c condition) holds() bool { return c.Status == "True" }

// describe says why the condition of this kind does not hold.
func (c condition) describe(kind string, found bool) string {
	if !found {
		return "no condition " + kind + " yet"
	}
	var parts []string
	for _, s := range []string{c.Reason, c.Message} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return "condition " + kind + " is " + c.Status
	}
	return strings.Join(parts, ": ")
}
