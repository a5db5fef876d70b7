// Command podnet is the pod network of a node, one process on each. It reads
// the cluster's Node objects with the kubelet's credentials and keeps in step
// with them: the CNI configuration for this node's pod addresses, a route to
// each other node's, and the masquerading of what pods send out of the cluster.
// It knows IPv4 alone, and no network policies.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"
)

const (
	idlePoll   = 250 * time.Millisecond // until the network is first set up
	steadyPoll = 3 * time.Second        // afterwards, for nodes that come and go
	reapply    = time.Minute            // how long a change by somebody else can last
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	hostname, err := os.Hostname()
	if err != nil {
		log.Fatal(err)
	}
	follow(ctx, hostname)
}

// follow applies the cluster's nodes again and again until ctx is done.
func follow(ctx context.Context, hostname string) {
	var applied, complaint string
	var last time.Time
	for {
		nodes, err := listNodes(ctx, kubeletConfig, hostname)
		wanted := fmt.Sprint(nodes)
		if err == nil && (wanted != applied || time.Since(last) > reapply) {
			if err = apply(ctx, nodes); err == nil {
				if wanted != applied {
					log.Printf("set up for %s", wanted)
				}
				applied, last, complaint = wanted, time.Now(), ""
			}
		}
		if err != nil && err.Error() != complaint {
			complaint = err.Error()
			log.Printf("waiting: %v", err)
		}
		pause := idlePoll
		if applied != "" {
			pause = steadyPoll
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// apply makes the node's network match nodes.
func apply(ctx context.Context, nodes []node) error {
	self, ok := own(nodes)
	if !ok || !self.pods.IsValid() {
		return errors.New("this node has no pod addresses yet")
	}
	if err := setRoutes(ctx, nodes); err != nil {
		return err
	}
	if err := setMasquerade(ctx, self, nodes); err != nil {
		return err
	}
	return writeConfig(configPath, self.pods, deviceMTU("eth0"))
}
