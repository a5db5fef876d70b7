package kubeapi

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// SystemPodsSince is the condition that the pods of kube-system on the node
// name are ready, in containers that were started after a moment of the same
// machine's clock. It is for a node that was started again: before its kubelet
// has looked at them, its pods are said to be as they were.
func (c *Client) SystemPodsSince(name string, since time.Time) Check {
	path := "/api/v1/namespaces/kube-system/pods?fieldSelector=" + url.QueryEscape("spec.nodeName="+name+",status.phase!=Succeeded")
	run := func(ctx context.Context) error {
		var list podList
		if err := c.Get(ctx, path, &list); err != nil {
			return err
		}
		var waiting []string
		for _, pod := range list.Items {
			if !pod.readySince(since) {
				waiting = append(waiting, pod.Metadata.Name)
			}
		}
		if len(waiting) > 0 {
			return fmt.Errorf("not ready again since node %q was started: %s", name, strings.Join(waiting, ", "))
		}
		return nil
	}
	return Check{Name: "pods of kube-system on node " + name, Hint: "-n kube-system get pods -o wide", Run: run}
}

type podList struct {
	Items []pod `json:"items"`
}

type pod struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Status struct {
		Conditions        []condition `json:"conditions"`
		ContainerStatuses []struct {
			State struct {
				Running struct {
					StartedAt time.Time `json:"startedAt"`
				} `json:"running"`
			} `json:"state"`
		} `json:"containerStatuses"`
	} `json:"status"`
}

func (p pod) readySince(moment time.Time) bool {
	for _, container := range p.Status.ContainerStatuses {
		// Kubernetes keeps whole seconds
		if container.State.Running.StartedAt.Before(moment.Truncate(time.Second)) {
			return false
		}
	}
	ready, found := find(p.Status.Conditions, "Ready")
	return found && ready.holds()
}
