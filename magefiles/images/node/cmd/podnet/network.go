package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// chain is the nat chain that decides which traffic of pods is masqueraded.
const chain = "KIND-MASQ"

// setRoutes sends the traffic for other nodes' pods to those nodes.
func setRoutes(ctx context.Context, nodes []node) error {
	for _, n := range nodes {
		if n.self || !n.pods.IsValid() || !n.address.IsValid() {
			continue
		}
		if err := run(ctx, nil, "ip", "route", "replace", n.pods.String(), "via", n.address.String()); err != nil {
			return err
		}
	}
	return nil
}

// setMasquerade gives what this node's pods send out of the pod network the
// node's own address.
func setMasquerade(ctx context.Context, self node, nodes []node) error {
	rules := strings.NewReader(masqueradeRules(nodes))
	if err := run(ctx, rules, "iptables-restore", "--wait", "--noflush"); err != nil {
		return err
	}
	jump := []string{
		"POSTROUTING", "-s", self.pods.String(),
		"-m", "addrtype", "!", "--dst-type", "LOCAL", "-j", chain,
	}
	if run(ctx, nil, "iptables", append([]string{"--wait", "-t", "nat", "-C"}, jump...)...) == nil {
		return nil
	}
	return run(ctx, nil, "iptables", append([]string{"--wait", "-t", "nat", "-A"}, jump...)...)
}

// masqueradeRules replaces the content of the chain, in iptables-restore's format.
func masqueradeRules(nodes []node) string {
	var rules strings.Builder
	fmt.Fprintf(&rules, "*nat\n:%s - [0:0]\n", chain)
	for _, n := range nodes {
		if n.pods.IsValid() {
			fmt.Fprintf(&rules, "-A %s -d %s -j RETURN\n", chain, n.pods)
		}
	}
	fmt.Fprintf(&rules, "-A %s -j MASQUERADE\nCOMMIT\n", chain)
	return rules.String()
}

func run(ctx context.Context, stdin io.Reader, name string, args ...string) error {
	command := exec.CommandContext(ctx, name, args...)
	command.Stdin = stdin
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	return nil
}
